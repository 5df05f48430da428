/**
 * Row of an attempt: `X`, then `X#round2`, `X#round3` when rejected work goes on in its session, or
 * `X#retry1`, `X#retry2` when it starts anew.
 */
export function attemptLabel(step: string, attempt: number, isRound: boolean): string {
  if (attempt === 0) return step;
  return isRound ? `${step}#round${attempt + 1}` : `${step}#retry${attempt}`;
}
