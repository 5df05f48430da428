// Documents that point nowhere or lag behind the code: links, error pages, dependency reasons.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { root } from './setup-state.mjs';

const faults = [...brokenLinks(), ...errorPages(), ...dependencyReasons(), ...undescribedFolders()];
for (const line of faults) console.error(line);
console.log(`${documents().length} documents, ${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;

function documents() {
  const docs = readdirSync(join(root, 'docs'), { recursive: true }).map((it) => join('docs', it));
  const top = readdirSync(root).filter((it) => it.endsWith('.md'));
  for (const path of ['README.md', 'ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md']) {
    if (!top.includes(path)) throw new Error(`${path} is missing`);
  }
  return [...top, ...docs.filter((it) => it.endsWith('.md'))];
}

function brokenLinks() {
  return documents().flatMap((path) => {
    const text = withoutCode(read(path));
    const targets = [...text.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)].map((it) => it[1]);
    return targets
      .filter((target) => !/^[a-z]+:/.test(target))
      .filter((target) => !resolves(path, target))
      .map((target) => `${path}: the link to ${target} leads nowhere`);
  });
}

function resolves(path, target) {
  const [file, anchor] = target.split('#');
  const full = file === '' ? path : join(dirname(path), decodeURI(file));
  if (!existsSync(join(root, full))) return false;
  if (anchor === undefined || !full.endsWith('.md')) return true;
  const headings = [...withoutCode(read(full)).matchAll(/^#+ +(.+)$/gm)].map((it) => slug(it[1]));
  return headings.includes(anchor);
}

/** The anchor that GitHub gives a heading. */
function slug(heading) {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N}\s_-]/gu, '');
  return kept.trim().replaceAll(' ', '-');
}

function errorPages() {
  const pages = readdirSync(join(root, 'docs', 'errors')).filter((it) => it !== 'README.md');
  const wanted = errorCodes().map((code) => `${code}.md`);
  const missing = wanted.filter((it) => !pages.includes(it));
  const leftOver = pages.filter((it) => !wanted.includes(it));
  const untitled = wanted
    .filter((it) => pages.includes(it))
    .filter((it) => !read(join('docs', 'errors', it)).startsWith(`# ${it.slice(0, -3)}\n`));
  return [
    ...missing.map((it) => `docs/errors/${it} is missing`),
    ...leftOver.map((it) => `docs/errors/${it} belongs to no error code`),
    ...untitled.map((it) => `docs/errors/${it} does not begin with its code as the title`),
  ];
}

/** The codes, read from the source: the check must not depend on a build. */
function errorCodes() {
  const path = join('src', 'errors', 'error-messages.ts');
  const file = ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest);
  const params = file.statements.find(
    (it) => ts.isInterfaceDeclaration(it) && it.name.text === 'FlowerErrorParams',
  );
  return params.members.map((member) => member.name.text);
}

function dependencyReasons() {
  const { dependencies } = JSON.parse(read('package.json'));
  const reasons = read(join('docs', 'decisions', 'dependencies.md'));
  return Object.keys(dependencies)
    .filter((name) => !reasons.includes(`| \`${name}\` |`))
    .map((name) => `docs/decisions/dependencies.md gives no reason for ${name}`);
}

function undescribedFolders() {
  const tree = read('ARCHITECTURE.md');
  return readdirSync(join(root, 'src'), { withFileTypes: true })
    .filter((it) => it.isDirectory() && !tree.includes(`\n  ${it.name}/ `))
    .map((it) => `ARCHITECTURE.md does not say what src/${it.name}/ is for`);
}

function withoutCode(text) {
  return text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`\n]*`/g, (it) => it.replace(/[()[\]]/g, ''));
}

function read(path) {
  return readFileSync(join(root, path), 'utf8');
}
