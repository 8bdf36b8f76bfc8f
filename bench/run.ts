/** `npm run bench`: tables, not a test. `-- disks` is the storage drivers alone, `-- lab` the policy lab: see there. */
import { measureCache } from '../packages/evals/bench/cache.js';
import { measurePolicies, measureViews } from '../packages/evals/bench/policies.js';
import { measureSteps, measureWindows, type StepCost } from '../packages/evals/bench/kernel.js';
import { measureProcesses, measureTimers } from '../packages/evals/bench/processes.js';
import { benchDisks } from './disks.js';
import { benchLab } from './lab.js';
import { row } from './row.js';

const SIZES = [100, 100_000];

const [part, ...parts] = process.argv.slice(2);
if (part === 'disks') {
  await benchDisks(parts);
  process.exit();
}
if (part === 'lab') {
  await benchLab();
  process.exit();
}
const quick = process.argv.includes('--quick');
const costs = await measureSteps(quick ? [100, 2_000] : SIZES);
console.log('kernel overhead per step (processor that answers at once), milliseconds');
console.log(row('store', 'messages', 'median', 'p95', 'feed a message', 'fork'));
for (const { store, messages, median, p95, feed, fork } of costs) {
  const times = [median.toFixed(2), p95.toFixed(2), feed.toFixed(3), fork.toFixed(2)];
  console.log(row(store, String(messages), ...times));
}
for (const store of ['memory', 'embedded']) {
  const [small, large] = costs.filter((cost) => cost.store === store) as [StepCost, StepCost];
  const ratio = (large.median / small.median).toFixed(2);
  const forks = (large.fork / small.fork).toFixed(2);
  console.log(`${store}: ratio of medians, most messages to fewest: ${ratio} a step, ${forks} a fork`);
}

console.log('\nthe same by the size of a full queue, in memory');
console.log(row('window', 'pages', 'counted a step', 'median'));
for (const { window, pages, counted, median } of await measureWindows([8_192, 32_768, 131_072])) {
  console.log(row(String(window), String(pages), counted.toFixed(1), median.toFixed(2)));
}

console.log('\na prompt cache under both layouts: 200 turns, 30 edits of blocks, input tokens');
console.log(row('layout', 'sent', 'cached', 'new', 'rewritten', 'rounding', 'price'));
for (const layout of ['stable', 'classic'] as const) {
  const { sum, price } = await measureCache(layout);
  const figures = [sum.prompt, sum.cached, sum.fresh, sum.rewritten, sum.rounding, price];
  console.log(row(layout, ...figures.map(String)));
}
console.log('price: a cached token counts as a tenth');
console.log('\nthe same under `stable`, where a flush is asked to free little (targetShare .97), by policy');
console.log(row('policy', 'flushes', 'cached', 'rewritten', 'price'));
for (const policy of ['lru', 'batch-prefix'] as const) {
  const limits = { targetShare: 0.97 };
  const { flushes, sum, price } = await measureCache('stable', { policy, limits });
  console.log(row(policy, ...[flushes, sum.cached, sum.rewritten, price].map(String)));
}

const many = await measureProcesses(quick ? 1_000 : 10_000);
console.log(`\n${many.processes} processes on the embedded store, 50 of them active`);
console.log(
  `  ${Math.round(many.idleBytes)} bytes of memory an idle process, ${Math.round(many.attachedBytes)} an active one`,
);
console.log(`  ${many.idleQueries.toFixed(1)} queries a second while all are idle`);
console.log(
  `  ${many.wake.toFixed(1)} ms to wake and answer (p95 ${many.wakeP95.toFixed(1)}), ${many.warm.toFixed(1)} ms awake: ratio ${(many.wake / many.warm).toFixed(2)}`,
);
const { timers, taken, lag } = await measureTimers();
console.log(
  `  ${timers} timers due in one second: ${taken} turns, the last ended ${lag} ms after the last was due`,
);

console.log('\npolicies with 3,000 pages in the queue');
console.log(row('policy'.padEnd(30), 'birth, µs', 'ask, ms', 'snapshot, B/page'));
for (const { policy, birth, ask, snapshot } of measurePolicies()) {
  console.log(row(policy.padEnd(30), birth.toFixed(1), ask.toFixed(2), snapshot.toFixed(0)));
}
console.log('\nwhat a policy is told of a page');
console.log(row('characters', 'µs a page'));
for (const { characters, view } of measureViews()) console.log(row(String(characters), view.toFixed(0)));

await benchLab();
await benchDisks([]);
