/** Golden files of requests: compared byte for byte, and made anew with `PAGEFAULT_GOLDEN=write`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { InferRequest } from '@pagefault/contracts';

const FOLDER = new URL('../golden/', import.meta.url);

/** What differs from the golden file, in words; empty when nothing does. */
export function differencesFrom(name: string, request: InferRequest): string[] {
  const file = new URL(`${name}.json`, FOLDER);
  const now = `${JSON.stringify(request, undefined, 2)}\n`;
  if (process.env['PAGEFAULT_GOLDEN'] === 'write') writeFileSync(file, now);
  if (!existsSync(file)) return [`${name}.json is not there`];
  const golden = readFileSync(file, 'utf8');
  if (golden === now) return [];
  const changes = changesBetween(JSON.parse(golden) as InferRequest, request);
  return changes.length > 0 ? changes : ['the same values, written otherwise'];
}

/** Part by part, in the order on the wire. */
export function changesBetween(golden: InferRequest, now: InferRequest): string[] {
  const parts = new Map([...partsOf(golden), ...partsOf(now)].map(({ name }) => [name, name]));
  const [old, fresh] = [golden, now].map(
    (request) => new Map(partsOf(request).map((one) => [one.name, one.text])),
  );
  return [...parts.keys()].flatMap((name) => change(name, old?.get(name), fresh?.get(name)) ?? []);
}

function partsOf(request: InferRequest): { readonly name: string; readonly text: string }[] {
  const { tools, system, messages, ...rest } = request;
  return [
    ...tools.map((tool) => ({ name: `tool ${tool.name}`, text: JSON.stringify(tool) })),
    { name: 'system', text: system },
    ...messages.map((message, at) => ({ name: `messages[${at}]`, text: JSON.stringify(message) })),
    ...Object.entries(rest).map(([name, value]) => ({ name, text: JSON.stringify(value) })),
  ];
}

/** Characters shown of each side. */
const SHOWN = 60;

function change(name: string, before: string | undefined, after: string | undefined): string | undefined {
  if (before === after) return undefined;
  if (before === undefined) return `${name} is new: ${after?.slice(0, SHOWN)}`;
  if (after === undefined) return `${name} is gone: ${before.slice(0, SHOWN)}`;
  let at = 0;
  while (before[at] === after[at]) at++;
  const [was, is] = [before, after].map((text) => JSON.stringify(text.slice(at, at + SHOWN)));
  return `${name} differs from character ${at} on: ${was} became ${is}`;
}
