/** An external policy for tests: FIFO, or badly behaved as its argument says. */
import { appendFileSync, writeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [mode = 'fifo', file] = process.argv.slice(2);
const queues = new Map();
const answer = (value) =>
  process.stdout.write(`${typeof value === 'string' ? value : JSON.stringify(value)}\n`);
const remember = (line) => file && appendFileSync(file, `${line}\n`);

if (mode === 'dies-at-once') process.exit(3);
if (mode === 'deaf') process.on('SIGTERM', () => {});
if (file && mode !== 'fifo') appendFileSync(file, `${process.pid}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line);
  if (mode === 'fifo') remember(line);
  const queue = queues.get(message.of) ?? new Map();
  queues.set(message.of, queue);
  const told = {
    hello: () => hello(),
    birth: () => queue.set(message.page.id, message.page.tokens),
    residency: () => message.now === 'evicted' && queue.delete(message.page),
    victims: () => victims(queue, message),
    snapshot: () => answer({ snapshot: JSON.stringify([...queue]) }),
    restore: () => {
      queues.set(message.of, new Map(JSON.parse(message.snapshot)));
      answer({ restored: true });
    },
  };
  told[message.type]?.();
});

function hello() {
  if (mode === 'rubbish') return answer('hello to you');
  if (mode === 'no-id') return answer({ version: 1 });
  if (mode === 'talkative') answer('starting…');
  answer({ id: `mine-${mode}`, version: 7, snapshots: true });
}

function victims(queue, { release, eligible, sizes }) {
  if (mode === 'notes') writeSync(2, 'asked\n');
  if (mode === 'dies') {
    writeSync(2, 'Traceback: out of ideas\n');
    process.exit(1);
  }
  if (mode === 'hangs' || mode === 'deaf') {
    if (file) appendFileSync(file, 'asked\n');
    for (;;);
  }
  if (mode === 'silent') return;
  if (mode === 'no-victims') return answer({ pages: [1] });
  if (mode === 'strangers') return answer({ victims: [4_711] });
  let released = 0;
  const named = eligible.filter((_, at) => released < release && (released += sizes[at]));
  answer({ victims: named });
}
