/** Reads a trace a line at a time, and checks each against the format and against the lines before it. */
import { PagefaultError } from '@pagefault/contracts';
import { readBytes, readLines } from '../importers/lines.js';
import { type TraceLine, traceLine } from './format.js';

/** Lines of a file, unpacked when its name ends in .gz or .zst. Errors: `E_NOT_FOUND`; `E_TRACE`, naming line and field. */
export async function* readTraceFile(file: string): AsyncGenerator<TraceLine> {
  yield* checkTrace(parsedLines(file));
}

interface Numbered {
  readonly value: unknown;
  readonly number: number;
}

/**
 * What is wrong with a file, the first `most` of it, by line and field; a line that is wrong is passed over. Errors:
 * `E_NOT_FOUND`; `E_TRACE` for a file that is packed badly.
 */
export async function traceProblems(
  file: string,
  take: (line: TraceLine) => void = () => {},
  most = 10,
): Promise<readonly string[]> {
  const [order, problems]: [Order, string[]] = [new Order(), []];
  for await (const { text, number } of readLines(readBytes(file))) {
    if (text.trim() === '') continue;
    const found = problemOf(text, number, order, take);
    if (found !== undefined) problems.push(found);
    if (problems.length >= most) return problems;
  }
  return order.hasHeader ? problems : [...problems, 'a trace begins with a header, and there is none'];
}

function problemOf(
  text: string,
  number: number,
  order: Order,
  take: (line: TraceLine) => void,
): string | undefined {
  try {
    const line = shaped(parse(text, number), number);
    const problem = order.take(line);
    if (problem) return wrong(number, problem.field, problem.message).message;
    take(line);
    return undefined;
  } catch (error) {
    if (PagefaultError.is(error)) return error.message;
    throw error;
  }
}

async function* parsedLines(file: string): AsyncGenerator<Numbered> {
  for await (const { text, number } of readLines(readBytes(file))) {
    if (text.trim() !== '') yield { value: parse(text, number), number };
  }
}

function parse(text: string, line: number): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new PagefaultError('E_TRACE', `line ${line} is not JSON: ${text.slice(0, 60)}`, { cause });
  }
}

/** The same lines, each checked; what an importer makes can be checked by it too. Errors: `E_TRACE`. */
export async function* checkTrace(lines: AsyncIterable<Numbered>): AsyncGenerator<TraceLine> {
  const order = new Order();
  let last = 0;
  for await (const { value, number } of lines) {
    const line = shaped(value, number);
    const problem = order.take(line);
    if (problem) throw wrong(number, problem.field, problem.message);
    last = number;
    yield line;
  }
  if (!order.hasHeader)
    throw wrong(last + 1, 'type', 'a trace begins with a header, and this one has no line at all');
}

function shaped(value: unknown, line: number): TraceLine {
  const parsed = traceLine.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw wrong(line, issue?.path.join('.') || 'type', issue?.message ?? 'it is none of the lines of a trace');
}

function wrong(line: number, field: string, message: string): PagefaultError {
  return new PagefaultError('E_TRACE', `line ${line}, field ${field}: ${message}`, {
    hint: 'docs/policy-lab.md has the format, with an example',
  });
}

interface Problem {
  readonly field: string;
  readonly message: string;
}

/** What a line may say after the lines before it. */
class Order {
  hasHeader = false;
  #pages = 0;
  #steps = 0;
  #time = 0;

  take(line: TraceLine): Problem | undefined {
    if (!this.hasHeader) return this.#first(line);
    switch (line.type) {
      case 'header':
        return { field: 'type', message: 'a header stands on the first line only' };
      case 'page':
        return this.#page(line.id, line.step, line.parent);
      case 'step':
        return this.#step(line);
      case 'boundary':
        return this.#coming(line.step);
      case 'supersede':
        return this.#coming(line.step) ?? this.#known('old', line.old) ?? this.#known('new', line.new);
      case 'usage':
        return line.step < this.#steps
          ? undefined
          : { field: 'step', message: `step ${line.step} has not come yet` };
    }
  }

  #first(line: TraceLine): Problem | undefined {
    this.hasHeader = true;
    return line.type === 'header'
      ? undefined
      : { field: 'type', message: `a header comes first, not a ${line.type}` };
  }

  #page(id: number, step: number, parent: number | undefined): Problem | undefined {
    if (id !== this.#pages) {
      const message = `the next page is ${this.#pages}, not ${id}`;
      // What follows is told against what the file says, or one gap would be told at each page after it.
      this.#pages = id + 1;
      return { field: 'id', message };
    }
    const problem = this.#coming(step) ?? (parent === undefined ? undefined : this.#known('parent', parent));
    this.#pages++;
    return problem;
  }

  #step({ i, ms, needs, rank = [] }: Extract<TraceLine, { type: 'step' }>): Problem | undefined {
    if (i !== this.#steps) {
      const message = `the next step is ${this.#steps}, not ${i}`;
      this.#steps = i + 1;
      return { field: 'i', message };
    }
    if (ms < this.#time)
      return { field: 'ms', message: `${ms} is earlier than the step before, at ${this.#time}` };
    this.#steps++;
    this.#time = ms;
    for (const [at, { id }] of needs.entries())
      if (id >= this.#pages) return this.#known(`needs.${at}.id`, id);
    return rank.map((id, at) => this.#known(`rank.${at}`, id)).find((problem) => problem);
  }

  #coming(step: number): Problem | undefined {
    return step === this.#steps
      ? undefined
      : { field: 'step', message: `the next step is ${this.#steps}, not ${step}` };
  }

  #known(field: string, id: number): Problem | undefined {
    return id < this.#pages
      ? undefined
      : { field, message: `page ${id} is not born yet; ${this.#pages} pages are` };
  }
}
