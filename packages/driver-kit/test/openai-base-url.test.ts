import { describe, expect, it } from 'vitest';
import { normaliseBaseURL } from '../src/index.js';

describe('the base URL (E05)', () => {
  it.each([
    ['http://host:8080', 'http://host:8080/v1'],
    ['http://host:8080/', 'http://host:8080/v1'],
    ['http://host:8080/v1', 'http://host:8080/v1'],
    ['http://host:8080/v1/', 'http://host:8080/v1'],
    ['https://gateway.example/openai', 'https://gateway.example/openai'],
    ['https://gateway.example/a/b/compat//', 'https://gateway.example/a/b/compat'],
    ['http://host:8080/v1/chat/completions', 'http://host:8080/v1'],
    ['http://host/v1/embeddings/', 'http://host/v1'],
    ['http://host/responses', 'http://host/v1'],
    ['https://x.azure.example/openai/deployments/d', 'https://x.azure.example/openai/deployments/d'],
  ])('%s is %s', (given, used) => {
    expect(normaliseBaseURL(given)).toBe(used);
  });
});
