/**
 * The watcher: POSIX shell that reads commands from its standard input and outlives the host.
 *
 * `add <pid> <mark>` and `remove <pid>` keep the list of agents, `bye` ends it. End of input without
 * `bye` means that the host died: then every tree on the list is ended, strays by their mark
 * included. Argument 1 is the process file system; where that does not exist `ps` is asked.
 *
 * Only built-ins are used on the way to the first SIGKILL under `/proc`. The sweep by mark uses `grep`
 * and `tr` where they are: one `grep` over all environments if it can look behind a NUL (that of
 * busybox cannot), else one look a process.
 */
export const watcherScript = `
trap '' HUP INT QUIT TERM PIPE USR1 USR2 TSTP TTIN TTOU
proc=$1
LC_ALL=C
TZ=UTC
export LC_ALL TZ
agents=' '
has() { command -v "$1" >/dev/null 2>&1; }

# Sets state, parent and start of process $1; fails when there is none.
look() {
  state= parent= start=
  if [ -d "$proc/$$" ]; then
    whole= line=
    while IFS= read -r line || [ -n "$line" ]; do whole="$whole $line"; line=; done 2>/dev/null <"$proc/$1/stat"
    [ -n "$whole" ] || return 1
    set -- \${whole##*)}
    state=$1 parent=$2
    shift 19
    start=$1
  else
    set -- $(ps -o stat=,ppid=,lstart= -p "$1" 2>/dev/null)
    [ $# -ge 3 ] || return 1
    state=$1 parent=$2
    shift 2
    start=$1_$2_$3_$4_$5
  fi
}

# Sets pairs to "pid:parent pid:parent ..." of all living processes.
list() {
  pairs=
  if [ -d "$proc/$$" ]; then
    for folder in "$proc"/[0-9]*; do
      id=\${folder##*/}
      look "$id" 2>/dev/null || continue
      case $state in Z*|X*|x*) ;; *) pairs="$pairs $id:$parent" ;; esac
    done
  else
    set -- $(ps -axo pid=,ppid=,stat= 2>/dev/null)
    while [ $# -ge 3 ]; do
      case $3 in Z*) ;; *) pairs="$pairs $1:$2" ;; esac
      shift 3
    done
  fi
}

# Adds to wanted the living roots and everything below them. Stops what it finds and looks again until
# nothing new is found: a stopped process cannot fork a child that would get away.
walk() {
  for agent in $agents; do
    id=\${agent%%:*} rest=\${agent#*:}
    look "$id" 2>/dev/null || continue
    case $state in Z*|X*|x*) continue ;; esac
    [ "$start" = "\${rest#*:}" ] && wanted="$wanted$id "
  done
  stopped=' ' pass=0
  while [ "$wanted" != "$stopped" ] && [ $pass -lt 20 ]; do
    pass=$((pass + 1))
    for id in $wanted; do
      case "$stopped 0 1 $$ " in *" $id "*) ;; *) kill -STOP "$id" 2>/dev/null ;; esac
    done
    stopped=$wanted
    list
    grow
  done
}

# Adds to wanted all of pairs that hang below it.
grow() {
  grown=1
  while [ $grown = 1 ]; do
    grown=0
    for pair in $pairs; do
      case $wanted in *" \${pair%%:*} "*) continue ;; esac
      case $wanted in *" \${pair##*:} "*) wanted="$wanted\${pair%%:*} " grown=1 ;; esac
    done
  done
}

# True when the environment file $1 holds exactly FLOWER_MARK=$2.
marked() {
  if has tr && has grep; then
    tr '\\000' '\\n' 2>/dev/null <"$1" | grep -qxF "FLOWER_MARK=$2"
    return
  fi
  while IFS= read -r line || [ -n "$line" ]; do
    case $line in *"FLOWER_MARK=$2"*) return 0 ;; esac
    line=
  done 2>/dev/null <"$1"
  return 1
}

# Sends SIGKILL to process $1, never to this shell, to init or to group 0, and notes it in wanted.
strike() {
  case $1 in 0|1|$$) return ;; esac
  kill -9 "$1" 2>/dev/null || return
  case $wanted in *" $1 "*) ;; *) wanted="$wanted$1 " ;; esac
}

# Strikes at once whatever carries mark $1. Looks again for newer processes until there are none, so
# that one which forks and exits does not keep ahead of the look.
sweep() {
  known=' ' pass=0
  while [ $pass -lt 20 ]; do
    pass=$((pass + 1)) fresh=
    for folder in "$proc"/[0-9]*; do
      case $known in
        *" $folder "*) ;;
        *) fresh="$fresh $folder/environ" known="$known$folder " ;;
      esac
    done
    [ -n "$fresh" ] || return
    if [ $exact = 1 ]; then
      hits=$(grep -lszxF "FLOWER_MARK=$1" $fresh 2>/dev/null)
    else
      hits=
      for file in $fresh; do
        marked "$file" "$1" 2>/dev/null && hits="$hits $file"
      done
    fi
    for file in $hits; do
      id=\${file%/environ}
      strike "\${id##*/}"
    done
  done
}

# The same with ps.
sweep_listed() {
  for id in $( (ps -axEww -o pid=,command= 2>/dev/null || ps axeww -o pid=,command= 2>/dev/null) |
    while read -r id line; do
      case " $line " in *" FLOWER_MARK=$1 "*) echo "$id" ;; esac
    done); do
    strike "$id"
  done
}

while read -r verb id mark; do
  case $verb in
    add)
      look "$id" 2>/dev/null
      agents="$agents$id:$mark:$start "
      ;;
    remove)
      kept=' '
      for agent in $agents; do
        case $agent in "$id":*) ;; *) kept="$kept$agent " ;; esac
      done
      agents=$kept
      ;;
    bye) exit 0 ;;
  esac
done

# A grep that cannot look behind a NUL (that of busybox) is no help.
exact=0
printf 'a\\0b' | grep -qzxF b 2>/dev/null && exact=1

# One empty look is not enough: a process that forks and exits can slip through a single one.
round=0 empty=0
while [ $round -lt 40 ]; do
  round=$((round + 1))
  wanted=' '
  walk
  for id in $wanted; do strike "$id"; done
  for agent in $agents; do
    rest=\${agent#*:}
    mark=\${rest%%:*}
    [ -n "$mark" ] || continue
    if [ -d "$proc/$$" ]; then sweep "$mark"; else sweep_listed "$mark"; fi
  done
  if [ "$wanted" = ' ' ]; then empty=$((empty + 1)); else empty=0; fi
  [ $empty = 2 ] && exit 0
  [ $round -gt 20 ] && has sleep && sleep 1
done
exit 1
`;
