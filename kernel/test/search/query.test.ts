import { describe, expect, it } from 'vitest';
import { analyse, planQuery } from '../../src/core/search/index.js';

describe('the plan of a query', () => {
  it('leaves function words out, so that they cannot fill the ranking (D07)', () => {
    expect(planQuery("what is my dog's name").terms).toEqual(['dog', 'name']);
  });

  it('searches for function words when there is nothing else, and says so (D06)', () => {
    expect(planQuery('The Who')).toEqual({ terms: ['the', 'who'], named: [], onlyStopWords: true });
    expect(planQuery('the dog').onlyStopWords).toBe(false);
  });

  it('takes speakers for a field: out of the terms, and named', () => {
    const plan = planQuery("When did CAROLINE's sister visit?", ['Caroline', 'Melanie']);
    expect(plan).toEqual({ terms: analyse('sister visit'), named: ['Caroline'], onlyStopWords: false });
  });

  it('takes any part of a name for the name', () => {
    expect(planQuery('where does Smith live', ['John Smith', 'John Doe']).named).toEqual(['John Smith']);
  });

  it('searches for the name when there is nothing else', () => {
    expect(planQuery('Who is Caroline?', ['Caroline']).terms).toEqual(analyse('Caroline'));
  });

  it('takes roles for words, not for names', () => {
    const plan = planQuery('how many users does the assistant have', ['user', 'assistant', '']);
    expect(plan.named).toEqual([]);
    expect(plan.terms).toContain('user');
  });

  it('takes a name that is a function word for the word', () => {
    expect(planQuery('what will she bring', ['Will']).named).toEqual([]);
  });

  it.each(["alice::bob'", "'abs", 'a & (b', '"publishing" AND auth|admin', '100%', 'test_', '*:*', 'NOT -x'])(
    'takes %j literally: only words of it are terms (D04, D05, D08)',
    (question) => {
      for (const term of planQuery(question).terms)
        expect(question.toLowerCase()).toContain(term.slice(0, 4));
    },
  );

  it.each(['', '!', '\\', '%', '   '])('has nothing to search for in %j', (question) => {
    expect(planQuery(question, ['Ada'])).toEqual({ terms: [], named: [], onlyStopWords: false });
  });

  it('asks for each term once', () => {
    expect(planQuery('dog dogs DOG').terms).toEqual(['dog']);
  });
});
