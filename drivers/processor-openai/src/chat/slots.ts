import { argumentProblem } from '@pagefault/driver-kit';

/** A piece of a call as it comes in a delta. Any of it may be missing, whatever the types of the SDK say. */
export interface CallFragment {
  readonly index?: number | null;
  readonly id?: string | null;
  readonly function?: { readonly name?: string | null; readonly arguments?: string | null } | null;
}

/** One call as far as it was heard. */
export interface Slot {
  index: number | undefined;
  id: string;
  name: string;
  arguments: string;
}

export interface Slots {
  /** The slot that the fragment belongs to, after taking it in. */
  add(fragment: CallFragment): Slot;
}

/**
 * Sorts the fragments of parallel calls. Servers label them badly: all with index 0, from index 1 on,
 * without an index, without an id, with one id for all, with the id only in a later fragment, or with id
 * and name in every one. So neither index nor id is trusted alone: a fragment goes to the latest slot
 * that does not contradict it, and begins a new one when it names a call that is under way or complete.
 */
export function createSlots(): Slots {
  const all: Slot[] = [];
  return {
    add(fragment) {
      const piece = read(fragment);
      const found = continues(all, piece);
      const slot = found ?? { index: piece.index, id: '', name: '', arguments: '' };
      if (found === undefined) all.push(slot);
      slot.index ??= piece.index;
      slot.id ||= piece.id;
      slot.name ||= piece.name;
      slot.arguments += piece.arguments;
      return slot;
    },
  };
}

function read(fragment: CallFragment): Slot {
  return {
    index: typeof fragment.index === 'number' ? fragment.index : undefined,
    id: text(fragment.id),
    name: text(fragment.function?.name),
    arguments: text(fragment.function?.arguments),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function continues(slots: readonly Slot[], piece: Slot): Slot | undefined {
  const sameIndex = (slot: Slot): boolean =>
    slot.index === undefined || piece.index === undefined || slot.index === piece.index;
  const latest = slots.findLast(
    (slot) => sameIndex(slot) && (piece.id === '' || slot.id === '' || slot.id === piece.id),
  );
  if (latest !== undefined && !beginsAnother(latest, piece)) return latest;
  // Arguments that nobody claims are more likely a wrong label than a call without a name.
  return piece.name === '' && piece.id === '' ? slots.at(-1) : undefined;
}

/** Whether a fragment that may belong to this slot by its labels is the head of another call. */
function beginsAnother(slot: Slot, piece: Slot): boolean {
  if (piece.name === '' || slot.name === '') return false;
  return piece.name !== slot.name || argumentProblem(slot.arguments) === undefined;
}
