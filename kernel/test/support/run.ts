/** Plays a random world, and calls back after every step. */
import type { BlockEdit } from '../../src/core/block-edit.js';
import { optionsOf, type Step, type World } from './gen.js';
import { Harness, type HarnessOptions } from './harness.js';

export function play(
  world: World,
  after: (harness: Harness, step: Step) => void = () => undefined,
  options: HarnessOptions = {},
): Harness {
  const harness = new Harness({ ...optionsOf(world), ...options });
  for (const step of world.steps) {
    take(harness, step);
    after(harness, step);
  }
  return harness;
}

function take(harness: Harness, step: Step): void {
  switch (step.kind) {
    case 'send':
      return void harness.send(step.text);
    case 'feed':
      return void harness.feed(step.text, step.text.length % 2 === 0 ? 'user' : 'assistant');
    case 'swap':
      return void harness.reload({ window: step.window, model: step.model, layout: step.layout });
    case 'idle':
      return void harness.drive({ type: 'idle', at: (harness.now += 300_000) });
    case 'pin':
    case 'unpin': {
      const page = harness.state.pages.at(-1 - step.back);
      const change = { kind: step.kind, handle: `m${page?.messages[0]?.seq ?? 0}` };
      return void harness.drive({ type: 'pin', at: harness.now, change });
    }
    case 'edit':
      return edit(harness, step.text);
    case 'cancel':
      harness.stopBefore = 'call';
      harness.drive(harness.interrupt(step.text));
      harness.stopBefore = undefined;
      return void harness.drive({ type: 'cancelled', at: harness.now });
    case 'crash':
      harness.stopBefore = step.before;
      harness.drive(harness.interrupt(step.text));
      harness.stopBefore = undefined;
      return void harness.reload();
  }
}

/** What a user makes of the working context: a value, a limit, a name. */
function edit(harness: Harness, text: string): void {
  const [first] = harness.state.blocks;
  if (!first) return;
  const { name } = first;
  const value = text.slice(0, 300).toWellFormed();
  const edits: readonly [BlockEdit, ...BlockEdit[]] = [
    { kind: 'set', name, value },
    { kind: 'limit', name, limit: Math.min(text.length, 2_000) },
    { kind: 'append', name, content: value },
    { kind: 'rename', name, to: name === 'human' ? 'about' : 'human' },
  ];
  const chosen = edits[text.length % edits.length] ?? edits[0];
  harness.drive({ type: 'edited', at: harness.now, by: 'user', edits: [chosen] });
}
