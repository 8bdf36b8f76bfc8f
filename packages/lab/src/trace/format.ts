/**
 * The trace format: one JSON object a line. First the header; then what happened, in the order in which it happened. Pages
 * are born before the step that first holds them; a step is one call of the model, with the pages that it needs.
 *
 *   {"type":"header","v":1,"id":"goodai-32k","source":"GoodAI LTM benchmark","needKinds":["annotated"]}
 *   {"type":"page","id":0,"step":0,"tok":61,"kind":"system"}
 *   {"type":"page","id":1,"step":0,"tok":812,"kind":"user"}
 *   {"type":"step","i":0,"ms":0,"out":4,"needs":[]}
 *   {"type":"page","id":2,"step":1,"tok":4,"kind":"assistant"}
 *   {"type":"step","i":1,"ms":4210,"out":9,"needs":[{"id":1,"why":"annotated"}]}
 *
 * No text is in it. `obj` and `hash` say what a page is of; they may be hashes themselves.
 */
import { z } from 'zod';

export const TRACE_VERSION = 1;

/** Where a need comes from: somebody said so; the same thing was read or called again; it follows from what was said. */
export const NEED_KINDS = ['annotated', 're-read', 'derived'] as const;
export type NeedKind = (typeof NEED_KINDS)[number];

/** With fewer needs than this nothing is ranked: a difference would be a few pages' luck. */
export const FEWEST_NEEDS = 200;

export const PAGE_KINDS = [
  'system',
  'user',
  'assistant',
  'tool_call',
  'tool_result',
  'doc',
  'summary',
] as const;
export type TracePageKind = (typeof PAGE_KINDS)[number];

export const BOUNDARY_KINDS = [
  'session_end',
  'subtask_start',
  'subtask_end',
  'task_switch',
  'compact',
] as const;
export type BoundaryKind = (typeof BOUNDARY_KINDS)[number];

/** Sizes are held in 32 bits. */
const MOST = 2 ** 31 - 1;
const count = z.int().min(0).max(MOST);
/** Milliseconds since the trace began. */
const milliseconds = z.number().min(0);
const text = z.string().min(1);

export const traceHeader = z.strictObject({
  type: z.literal('header'),
  v: z.literal(TRACE_VERSION),
  id: text,
  /** Where it comes from, for a reader. */
  source: text,
  licence: text.optional(),
  /** What counted the tokens; `characters/4` when nothing did. */
  tokenizer: text.optional(),
  /** `recorded` times, or times `made` by an importer for want of them. */
  clock: z.enum(['recorded', 'made']).optional(),
  needKinds: z.array(z.enum(NEED_KINDS)),
  /** How the steps were laid out in time, when they were made. */
  schedule: text.optional(),
  seed: z.int().optional(),
  /** Of the file that it was made from. */
  sha256: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

const page = z.strictObject({
  type: z.literal('page'),
  /** Rising by one from 0. */
  id: count,
  /** The step that first holds it: the next one in the file. */
  step: count,
  ms: milliseconds.optional(),
  tok: count,
  kind: z.enum(PAGE_KINDS),
  session: text.optional(),
  /** What it is a reading of: a file, a query, a document. */
  obj: text.optional(),
  /** Which reading of that: a newer one has a larger number. */
  ver: count.optional(),
  parent: count.optional(),
  hash: text.optional(),
  /** Never leaves. */
  pin: z.boolean().optional(),
  /** 1 to 10. */
  imp: z.number().min(0).max(10).optional(),
  /** Where its text is, for those who have it. */
  ref: text.optional(),
  /** Numbers of its words, ascending, as the kernel tells a policy. */
  terms: z.array(count).max(32).optional(),
  failed: z.boolean().optional(),
});

const need = z.strictObject({
  id: count,
  why: z.enum(NEED_KINDS),
  /** Weight; 1 by default. */ w: z.number().positive().optional(),
});

const step = z.strictObject({
  type: z.literal('step'),
  /** Rising by one from 0. */
  i: count,
  ms: milliseconds,
  /** Tokens of the reply. */
  out: count,
  needs: z.array(need),
  /** Numbers of the words that are asked for. */
  query: z.array(count).max(32).optional(),
  /** Pages as a search would rank them, the best first. */
  rank: z.array(count).optional(),
});

const boundary = z.strictObject({ type: z.literal('boundary'), step: count, kind: z.enum(BOUNDARY_KINDS) });
const supersede = z.strictObject({ type: z.literal('supersede'), step: count, old: count, new: count });
/** What the provider billed, for calibration, in tokens. */
export const usageLine = z.strictObject({
  type: z.literal('usage'),
  step: count,
  read: count,
  write: count,
  plain: count,
  out: count,
});

export const traceLine = z.discriminatedUnion('type', [
  traceHeader,
  page,
  step,
  boundary,
  supersede,
  usageLine,
]);

export type TraceHeader = z.output<typeof traceHeader>;
export type PageLine = z.output<typeof page>;
export type StepLine = z.output<typeof step>;
export type BoundaryLine = z.output<typeof boundary>;
export type SupersedeLine = z.output<typeof supersede>;
export type UsageLine = z.output<typeof usageLine>;
export type TraceLine = z.output<typeof traceLine>;
