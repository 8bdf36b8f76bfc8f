/** An event of the stream, with what compatible servers add and leave out. */
export interface ServerEvent {
  readonly type?: unknown;
  readonly index?: unknown;
  readonly message?: { readonly usage?: unknown } | null;
  readonly content_block?: { readonly [key: string]: unknown } | null;
  readonly delta?: { readonly [key: string]: unknown } | null;
  readonly usage?: unknown;
  readonly error?: unknown;
}

export type BlockKind = 'text' | 'thinking' | 'redacted' | 'call' | 'other';

/** A block of the answer as far as it was heard. */
export interface HeardBlock {
  readonly kind: BlockKind;
  readonly index: unknown;
  readonly name: string;
  /** Text, thinking, or the arguments' JSON text. */
  text: string;
  signature: string;
  /** Its arguments came whole with its beginning: what follows would only repeat them. */
  readonly isWhole: boolean;
}

const KINDS: Readonly<Record<string, BlockKind>> = {
  text: 'text',
  thinking: 'thinking',
  redacted_thinking: 'redacted',
  tool_use: 'call',
};

/** The block that a `content_block_start` begins. Official servers begin it empty; others with all of it. */
export function begunBlock({ index, content_block: block }: ServerEvent): HeardBlock {
  const kind = KINDS[text(block?.['type'])] ?? 'other';
  const input = kind === 'call' ? wholeInput(block?.['input']) : '';
  const contents: Record<BlockKind, string> = {
    text: text(block?.['text']),
    thinking: text(block?.['thinking']),
    redacted: text(block?.['data']),
    call: input,
    other: '',
  };
  return {
    kind,
    index,
    name: text(block?.['name']),
    text: contents[kind],
    signature: text(block?.['signature']),
    isWhole: input !== '',
  };
}

function wholeInput(input: unknown): string {
  if (typeof input === 'string') return input;
  const isFilled = typeof input === 'object' && input !== null && Object.keys(input).length > 0;
  return isFilled ? JSON.stringify(input) : '';
}

const DELTAS: Readonly<Record<string, { readonly kind: BlockKind; readonly key: string }>> = {
  text_delta: { kind: 'text', key: 'text' },
  thinking_delta: { kind: 'thinking', key: 'thinking' },
  signature_delta: { kind: 'thinking', key: 'signature' },
  input_json_delta: { kind: 'call', key: 'partial_json' },
};

export interface HeardDelta {
  readonly block: HeardBlock;
  /** What was added to the block's text. */
  readonly added: string;
}

/**
 * Takes a delta in. Indexes are not trusted alone: it goes to the latest block of its kind with its index, else to the
 * latest of its kind; text and thinking that nothing began begin a block themselves.
 */
export function takeDelta(blocks: HeardBlock[], event: ServerEvent): HeardDelta | undefined {
  const type = text(event.delta?.['type']);
  const known = DELTAS[type];
  if (known === undefined) return undefined;
  const block = blockFor(blocks, known.kind, event.index);
  if (block === undefined) return undefined;
  const value = text(event.delta?.[known.key]);
  if (type === 'signature_delta') block.signature = value;
  const added = type === 'signature_delta' || block.isWhole ? '' : value;
  block.text += added;
  return { block, added };
}

function blockFor(blocks: HeardBlock[], kind: BlockKind, index: unknown): HeardBlock | undefined {
  const ofKind = blocks.filter((block) => block.kind === kind);
  const found = ofKind.findLast((block) => block.index === index) ?? ofKind.at(-1);
  if (found !== undefined || kind === 'call') return found;
  const begun: HeardBlock = { kind, index, name: '', text: '', signature: '', isWhole: false };
  blocks.push(begun);
  return begun;
}

export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
