import { describe, expect, it } from 'vitest';
import { documentTerms, planQuery } from '../../src/core/search/index.js';
import { askedTimes, isTimeTerm, timeTerms } from '../../src/core/search/when.js';

/** 23:30 on 10 March in Bogotá. */
const LATE = Date.parse('2026-03-11T04:30:00Z');

describe('the time of a document', () => {
  it('is its day and its month by the clock of its user (D13)', () => {
    expect(timeTerms(LATE)).toEqual(['@2026-03-11', '@2026-03']);
    expect(timeTerms(LATE, 'America/Bogota')).toEqual(['@2026-03-10', '@2026-03']);
    expect(timeTerms(Number.NaN)).toEqual([]);
  });

  it('is no part of its length, and nothing that is said looks like it', () => {
    const { terms, length } = documentTerms('alpaca @2026-03-11', LATE);
    const said = terms.filter(([term]) => !isTimeTerm(term)).reduce((sum, [, count]) => sum + count, 0);
    expect(length).toBe(said);
    expect(documentTerms('alpaca @2026-03-11').terms.filter(([term]) => isTimeTerm(term))).toEqual([]);
    expect(documentTerms('', LATE).terms).toEqual([]);
  });
});

describe('a time in a question', () => {
  it.each([
    ['what happened on 2023-05-08?', ['@2023-05-08']],
    ['2023年5月8日我说了什么', ['@2023-05-08']],
    ['2023年5月', ['@2023-05']],
    ['what did we do in 2023-05', ['@2023-05']],
    ['what did I say today', ['@2026-03-10']],
    ['and yesterday?', ['@2026-03-09']],
    ['the day before yesterday', ['@2026-03-08']],
    ['12 days ago', ['@2026-02-26']],
    ['this month', ['@2026-03']],
    ['last month', ['@2026-02']],
  ])('is understood in %j by the clock of the user (D13)', (question, terms) => {
    expect(askedTimes(question, { at: LATE, zone: 'America/Bogota' })).toEqual(terms);
  });

  it.each([
    '5/8/2023',
    'last summer',
    'last week',
    'in May',
    '2023-13-01',
    '2023-02-30',
    '2023年13月',
    'call 555-12-1234',
    'MARKER_2023-05',
  ])('is not guessed from %j', (question) => {
    expect(askedTimes(question, { at: LATE })).toEqual([]);
  });

  it('is a word where no clock is known', () => {
    expect(askedTimes('yesterday')).toEqual([]);
  });

  it('is added to the words of the question, and takes none away', () => {
    const plan = planQuery('Was Rex ill yesterday?', [], { at: LATE, zone: 'America/Bogota' });
    expect(plan.terms).toEqual([...planQuery('Was Rex ill yesterday?').terms, '@2026-03-09']);
  });
});
