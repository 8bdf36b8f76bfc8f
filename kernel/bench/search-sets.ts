import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A collection as the kernel would index it, with the questions asked of it. */
export interface SearchSet {
  readonly turns: readonly Turn[];
  readonly speakers: readonly string[];
  readonly questions: readonly Question[];
}

export interface Turn {
  readonly id: string;
  readonly session: string;
  readonly speaker: string;
  readonly text: string;
  /** Left out where the set has no dates. */
  readonly at?: number;
}

export interface Question {
  readonly text: string;
  readonly evidence: readonly string[];
}

interface LocomoSession {
  readonly sample_id: string;
  readonly speaker_a: string;
  readonly speaker_b: string;
  readonly session: number;
  readonly date_time: string;
  readonly turns: readonly {
    readonly dia_id: string;
    readonly speaker: string;
    readonly text: string;
    readonly image_caption?: string;
  }[];
}

interface LocomoQuestion {
  readonly sample_id: string;
  readonly question: string;
  readonly category: number;
  readonly evidence?: readonly string[];
  readonly gold_ok?: boolean;
  readonly duplicate_of?: string;
}

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The folder of the data sets: `PAGEFAULT_DATA`, else `../shared/data` beside the repository. */
export const dataFolder = resolve(root, process.env['PAGEFAULT_DATA'] ?? '../shared/data');

export function locomo(): readonly SearchSet[] {
  const sessions = lines('locomo/locomo_sessions.jsonl') as readonly LocomoSession[];
  const questions = (lines('locomo/locomo_qa_clean.jsonl') as readonly LocomoQuestion[]).filter(isAnswerable);
  return [...new Set(sessions.map((session) => session.sample_id))].map((sample) => {
    const own = sessions.filter((session) => session.sample_id === sample);
    return {
      turns: own.flatMap(locomoTurns),
      speakers: [...new Set(own.flatMap((session) => [session.speaker_a, session.speaker_b]))],
      questions: questions
        .filter((question) => question.sample_id === sample)
        .map(({ question, evidence = [] }) => ({ text: question, evidence })),
    };
  });
}

interface Passage {
  readonly pid: string;
  readonly title: string;
  readonly text: string;
}

interface PassageQuestion {
  readonly question: string;
  readonly gold_passage: string;
}

export function documentQa(): readonly SearchSet[] {
  const passages = lines('litm_docqa/passages.jsonl') as readonly Passage[];
  const questions = lines('litm_docqa/questions.jsonl') as readonly PassageQuestion[];
  const turns = passages.map(({ pid, title, text }) => ({ ...alone(pid), text: `${title}\n${text}` }));
  const asked = questions.map(({ question, gold_passage }) => ({ text: question, evidence: [gold_passage] }));
  return [{ turns, speakers: [], questions: asked }];
}

interface BeamQuestion {
  readonly chat: string;
  readonly question: string;
  readonly evidence_ids: readonly number[];
}

interface BeamMessage {
  readonly id: number;
  readonly role: string;
  readonly batch: number;
  readonly content: string;
}

export function beam(size: string): readonly SearchSet[] {
  const all = lines('beam/probing_questions.jsonl') as readonly BeamQuestion[];
  return readdirSync(resolve(dataFolder, 'beam', size)).map((file) => {
    const messages = lines(`beam/${size}/${file}`) as readonly BeamMessage[];
    const asked = all.filter(
      (each) => each.chat === `${size}/${file.slice(0, 2)}` && each.evidence_ids.length > 0,
    );
    return {
      turns: messages.map((m) => ({
        id: `${m.id}`,
        session: `${m.batch}`,
        speaker: m.role,
        text: m.content,
      })),
      speakers: ['user', 'assistant'],
      questions: asked.map((each) => ({ text: each.question, evidence: each.evidence_ids.map(String) })),
    };
  });
}

interface MemoryBankUser {
  readonly history: Readonly<
    Record<string, readonly { readonly query: string; readonly response: string }[]>
  >;
}

/** No evidence is known: the questions only show that something is found. */
export function memoryBank(language: 'cn' | 'en'): readonly SearchSet[] {
  const users = JSON.parse(read(`memorybank/memory_bank_${language}.json`)) as Record<string, MemoryBankUser>;
  const file = `memorybank/probing_questions_${language}.jsonl`;
  const asked = lines(file) as readonly Readonly<Record<string, readonly string[]>>[];
  return Object.entries(users).map(([name, user]) => ({
    turns: Object.entries(user.history).flatMap(([day, exchanges]) =>
      exchanges.flatMap(({ query, response }, i) => [
        { id: `${day}/${i}q`, session: day, speaker: 'user', text: query },
        { id: `${day}/${i}a`, session: day, speaker: 'assistant', text: response },
      ]),
    ),
    speakers: [],
    questions: asked.flatMap((line) => (line[name] ?? []).map((text) => ({ text, evidence: [] }))),
  }));
}

export function hasData(): boolean {
  return existsSync(resolve(dataFolder, 'locomo'));
}

function locomoTurns(session: LocomoSession): readonly Turn[] {
  return session.turns.map((turn) => ({
    id: turn.dia_id,
    session: `${session.session}`,
    speaker: turn.speaker,
    text: turn.image_caption === undefined ? turn.text : `${turn.text}\n[image: ${turn.image_caption}]`,
    at: Date.parse(`${session.date_time}Z`),
  }));
}

function isAnswerable(question: LocomoQuestion): boolean {
  const evidence = question.evidence ?? [];
  return question.gold_ok === true && evidence.length > 0 && question.category <= 4 && !question.duplicate_of;
}

function alone(id: string): Pick<Turn, 'id' | 'session' | 'speaker'> {
  return { id, session: id, speaker: '' };
}

function lines(file: string): readonly unknown[] {
  return read(file)
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

function read(file: string): string {
  return readFileSync(resolve(dataFolder, file), 'utf8');
}
