/** A page of 100 tokens a step, and a need of the page seven steps before. */
export function weeklyTrace(steps: number): string {
  const header = { type: 'header', v: 1, id: 'weekly', source: 'a test', needKinds: ['annotated'] };
  const lines = Array.from({ length: steps }, (_, i) => [
    { type: 'page', id: i, step: i, tok: 100, kind: 'user' },
    { type: 'step', i, ms: i * 1_000, out: 5, needs: i < 7 ? [] : [{ id: i - 7, why: 'annotated' }] },
  ]);
  return [header, ...lines.flat()].map((line) => JSON.stringify(line)).join('\n');
}
