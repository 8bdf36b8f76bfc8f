import { z } from 'zod';

type Schema = z.core.$ZodType;

/** The schema of the value at `path`; undefined where it cannot be told. */
export function schemaAt(schema: Schema, path: readonly PropertyKey[]): Schema | undefined {
  const [key, ...rest] = path;
  if (key === undefined) return schema;
  const inner = innerSchema(bareSchema(schema), key);
  return inner && schemaAt(inner, rest);
}

function innerSchema(schema: Schema, key: PropertyKey): Schema | undefined {
  if (schema instanceof z.ZodObject) {
    const shape: Readonly<Record<PropertyKey, Schema>> = schema.shape;
    return Object.hasOwn(shape, key) ? shape[key] : undefined;
  }
  if (schema instanceof z.ZodRecord) return schema.valueType;
  return schema instanceof z.ZodArray ? schema.element : undefined;
}

function bareSchema(schema: Schema): Schema {
  if (schema instanceof z.ZodPipe) return bareSchema(schema.out);
  const isWrapper =
    schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isWrapper || schema instanceof z.ZodLazy ? bareSchema(schema.unwrap()) : schema;
}

/** What a schema takes, as it stands after "it must be"; undefined for kinds that no configuration has yet. */
export function allowedBy(schema: Schema): string | undefined {
  const bare = bareSchema(schema);
  if (bare instanceof z.ZodNumber) return allowedNumber(bare, unitOf(schema));
  if (bare instanceof z.ZodString) return allowedText(bare);
  if (bare instanceof z.ZodEnum) return eitherOf(bare.options.map((option) => JSON.stringify(option)));
  if (bare instanceof z.ZodUnion) return allowedByAny(bare.options);
  return KINDS[bare._zod.def.type];
}

const KINDS: Readonly<Record<string, string>> = {
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
};

function allowedByAny(options: readonly Schema[]): string | undefined {
  const known = options.map(allowedBy);
  return known.every((option) => option !== undefined) ? eitherOf([...new Set(known)]) : undefined;
}

/** `a`, `a or b`, `a, b or c`. */
export function eitherOf(words: readonly string[]): string {
  const last = words.at(-1) ?? '';
  return words.length < 2 ? last : `${words.slice(0, -1).join(', ')} or ${last}`;
}

// Descriptions of amounts begin with their unit.
function unitOf(schema: Schema): string {
  const unit = /^(tokens|milliseconds|characters|code points)\b/i.exec(descriptionOf(schema))?.[1];
  return unit === undefined ? '' : ` of ${unit.toLowerCase()}`;
}

function descriptionOf(schema: Schema): string {
  const description = z.globalRegistry.get(schema)?.description;
  if (description !== undefined) return description;
  const isWrapper = schema instanceof z.ZodDefault || schema instanceof z.ZodOptional;
  return isWrapper ? descriptionOf(schema.unwrap()) : '';
}

function allowedText({ minLength, maxLength }: z.ZodString): string {
  const min = minLength ?? 0;
  if (maxLength !== null) return `text of ${grouped(min)} to ${grouped(maxLength)} characters`;
  if (min > 1) return `text of at least ${grouped(min)} characters`;
  return min === 1 ? 'text that is not empty' : 'text';
}

function allowedNumber(schema: z.ZodNumber, unit: string): string {
  const { min, max, isAbove } = boundsOf(schema);
  const kind = `${schema.isInt ? 'a whole number' : 'a number'}${unit}`;
  if (min !== undefined && max !== undefined && !isAbove)
    return `${kind} from ${grouped(min)} to ${grouped(max)}`;
  const lower = min === undefined ? [] : [`${isAbove ? 'above' : 'at least'} ${grouped(min)}`];
  const upper = max === undefined ? [] : [`at most ${grouped(max)}`];
  const bounds = [...lower, ...upper].join(' and ');
  if (bounds === '') return kind;
  if (unit !== '') return `${kind}, ${bounds}`;
  return bounds.startsWith('at ') ? `${kind} of ${bounds}` : `${kind} ${bounds}`;
}

function boundsOf(schema: z.ZodNumber): { min?: number; max?: number; isAbove: boolean } {
  const [min, max] = [schema.minValue, schema.maxValue];
  return {
    ...(isBound(min) && { min }),
    ...(isBound(max) && { max }),
    isAbove: isBound(min) && !schema.safeParse(min).success,
  };
}

// Whole numbers have the safe integers for bounds, which say nothing to anyone.
function isBound(value: number | null): value is number {
  return value !== null && Math.abs(value) < Number.MAX_SAFE_INTEGER;
}

function grouped(value: number): string {
  return value.toLocaleString('en');
}
