import type { Exchange, Turn } from './turn.js';

/**
 * One habit of reflex. A rule keeps no state: it is asked again in each cycle and sees what became of
 * its wishes in the turn's exchanges.
 */
export interface Rule {
  /** The calls that it still wants; those that have a result already are passed over. */
  wants(turn: Turn): readonly Wish[];
  /** Its part of the answer, once nothing more is wanted. */
  says(turn: Turn): string | undefined;
  /** What it must not forget when its earlier pages are evicted: written into the reply. */
  notes?(turn: Turn): string | undefined;
}

export interface Wish {
  readonly name: string;
  readonly input: Readonly<Record<string, string | number>>;
}

export function hasTool(turn: Turn, name: string): boolean {
  return turn.request.tools.some((tool) => tool.name === name);
}

/** The exchange in which a wish was fulfilled or refused. */
export function outcomeOf(turn: Turn, wish: Wish): Exchange | undefined {
  return turn.exchanges.find((exchange) => isSame(exchange, wish));
}

function isSame(exchange: Exchange, wish: Wish): boolean {
  if (exchange.name !== wish.name) return false;
  const { request_heartbeat: _, ...input } = exchange.input;
  const keys = Object.keys(wish.input);
  return keys.length === Object.keys(input).length && keys.every((key) => input[key] === wish.input[key]);
}
