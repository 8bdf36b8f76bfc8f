/** `npm run bench -- disks`: the storage drivers on a real server. `PAGEFAULT_BENCH_SIZE=large` takes some ten minutes. */
import { measureArchival } from '../packages/evals/bench/disks/archival.js';
import type { Ratio } from '../packages/evals/bench/disks/ratio.js';
import { measureRecall } from '../packages/evals/bench/disks/recall.js';
import { findServer } from '../packages/evals/bench/disks/server.js';
import { row } from './row.js';

const SIZES = {
  small: { passages: [10_000], messages: [1_000, 10_000] },
  medium: { passages: [10_000, 100_000], messages: [1_000, 100_000] },
  large: { passages: [10_000, 100_000], messages: [1_000, 100_000, 1_000_000] },
} as const;

type Size = keyof typeof SIZES;

export async function benchDisks(parts: readonly string[]): Promise<void> {
  const { passages, messages } = SIZES[sizeOf(process.env['PAGEFAULT_BENCH_SIZE'] ?? 'small')];
  const server = await findServer();
  if (server === undefined)
    return console.log(
      '\ndisks: no PostgreSQL is here; `.ci/with-servers npm run bench -- disks` fetches one',
    );
  try {
    console.log(`\nstorage drivers on PostgreSQL, ${server.what}`);
    if (wants(parts, 'archival')) await benchArchival(server.url, passages);
    if (wants(parts, 'recall')) await benchRecall(server.url, messages);
  } finally {
    await server.close();
  }
}

const wants = (parts: readonly string[], part: string): boolean => parts.length === 0 || parts.includes(part);

function sizeOf(given: string): Size {
  if (given in SIZES) return given as Size;
  throw new RangeError(
    `PAGEFAULT_BENCH_SIZE is "${given}"; there are: ${Object.keys(SIZES).join(', ')} (default: small)`,
  );
}

async function benchArchival(url: string, sizes: readonly number[]): Promise<void> {
  console.log(
    '\narchival on pgvector against bare pg (COPY, one query), same server, same index, milliseconds',
  );
  console.log(row('passages', 'what', 'ours', 'bare', 'ours/bare', '95 % of samples'));
  for (const size of sizes) {
    const cost = await measureArchival(url, size);
    if (cost === undefined) return console.log('the server has no pgvector; `.ci/with-servers` fetches one');
    console.log(ratioRow(size, 'load of 1,000', cost.load));
    console.log(ratioRow(size, 'query', cost.query));
  }
}

function ratioRow(size: number, what: string, { ours, bare, ratio, from, to }: Ratio): string {
  const interval = `${from.toFixed(2)} to ${to.toFixed(2)}`;
  return row(String(size), what, ours.toFixed(2), bare.toFixed(2), ratio.toFixed(2), interval);
}

async function benchRecall(url: string, sizes: readonly number[]): Promise<void> {
  console.log('\nrecall by the size of the log: one message written, one rare term found, milliseconds');
  console.log(row('messages', 'filled, /s', 'append', 'p95', 'search', 'p95', 'hits'));
  const costs = await measureRecall(url, sizes);
  for (const { messages, fill, append, appendP95, search, searchP95, hits } of costs) {
    const times = [append, appendP95, search, searchP95].map((time) => time.toFixed(2));
    console.log(row(String(messages), fill.toFixed(0), ...times, String(hits)));
  }
  const [first, last] = [costs.at(0), costs.at(-1)];
  if (first && last)
    console.log(
      `most messages to fewest: ${(last.append / first.append).toFixed(2)} an append, ${(last.search / first.search).toFixed(2)} a search`,
    );
}
