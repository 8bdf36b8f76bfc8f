/** The items of a streamed answer, as far as they were heard: each is told by its place in the output. */
import type { ProcessorEvent } from '@pagefault/contracts';
import { reportedField, said } from '@pagefault/driver-kit';

export interface HeardItem {
  readonly place: number;
  readonly type: string;
  id: string;
  name: string;
  /** Of a message: what it says. Of reasoning: what was shown of it. Of a call: its arguments. */
  text: string;
  refusal: string;
  encrypted: string;
  /** Texts of the summary of a reasoning item, when it is done. */
  summary: readonly string[];
  /** Among the calls of the reply; of calls only. */
  readonly slot: number;
}

export interface Items {
  readonly all: readonly HeardItem[];
  /** An item begins, or is told whole. Its events are what no delta has told. */
  tell(place: unknown, item: unknown): ProcessorEvent[];
  /** A piece of an item's text, arguments, refusal or reasoning. */
  add(place: unknown, kind: 'text' | 'refusal' | 'thinking' | 'arguments', delta: unknown): ProcessorEvent[];
}

export function createItems(): Items {
  const all: HeardItem[] = [];
  const find = (place: unknown): HeardItem | undefined => all.find((item) => item.place === place);
  const begin = (place: number, type: string): HeardItem => {
    const slot = all.filter((item) => item.type === 'function_call').length;
    const item = { place, type, id: '', name: '', text: '', refusal: '', encrypted: '', summary: [], slot };
    all.push(item);
    return item;
  };
  return {
    all,
    tell(place, told) {
      const type = textOf(told, 'type');
      if (typeof place !== 'number' || type === '') return [];
      const known = find(place);
      const item = known ?? begin(place, type);
      return [...announced(item, told, known === undefined), ...untold(item, told)];
    },
    add(place, kind, delta) {
      const item = find(place);
      if (item === undefined || typeof delta !== 'string' || delta === '') return [];
      if (kind === 'refusal') item.refusal += delta;
      else item.text += delta;
      if (kind === 'arguments') return [{ type: 'arguments', slot: item.slot, delta }];
      return said(kind === 'thinking' ? 'thinking' : 'text', delta);
    },
  };
}

function announced(item: HeardItem, told: unknown, isNew: boolean): ProcessorEvent[] {
  item.id ||= textOf(told, 'id');
  item.name ||= textOf(told, 'name');
  item.encrypted = textOf(told, 'encrypted_content') || item.encrypted;
  return isNew && item.type === 'function_call' ? [{ type: 'call', slot: item.slot, name: item.name }] : [];
}

/** What the whole item says beyond its deltas: some servers send none. */
function untold(item: HeardItem, told: unknown): ProcessorEvent[] {
  if (item.type === 'function_call') {
    const delta = beyond(item.text, textOf(told, 'arguments'));
    item.text += delta;
    return delta === '' ? [] : [{ type: 'arguments', slot: item.slot, delta }];
  }
  if (item.type === 'reasoning') return untoldReasoning(item, told);
  if (item.type !== 'message') return [];
  const text = beyond(item.text, joined(told, 'content', 'text'));
  const refusal = beyond(item.refusal, joined(told, 'content', 'refusal'));
  item.text += text;
  item.refusal += refusal;
  return [...said('text', text), ...said('text', refusal)];
}

function untoldReasoning(item: HeardItem, told: unknown): ProcessorEvent[] {
  const summary = listOf(told, 'summary').map((each) => textOf(each, 'text'));
  if (summary.length > 0) item.summary = summary;
  const whole = summary.join('') || joined(told, 'content', 'text');
  const thinking = beyond(item.text, whole);
  item.text += thinking;
  return said('thinking', thinking);
}

function beyond(heard: string, whole: string): string {
  return whole.startsWith(heard) ? whole.slice(heard.length) : '';
}

function joined(item: unknown, list: string, key: string): string {
  return listOf(item, list)
    .map((each) => textOf(each, key))
    .join('');
}

function listOf(value: unknown, key: string): readonly unknown[] {
  const list = reportedField(value, key);
  return Array.isArray(list) ? list : [];
}

function textOf(value: unknown, key: string): string {
  const text = reportedField(value, key);
  return typeof text === 'string' ? text : '';
}
