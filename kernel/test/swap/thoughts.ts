/** Thinking as the drivers keep it, good for the doubles that made it. */
import type { ThinkingPart } from '@pagefault/contracts';
import { sealReasoning, signerOf } from '@pagefault/doubles';
import type { ProviderName } from './providers.js';

function reasoning(model: string, id: string): ThinkingPart {
  const data = { api: 'responses', id, encrypted: sealReasoning(model, 'hm'), summary: ['Hm.'] };
  return { type: 'thinking', text: 'Hm.', opaque: { driver: 'processor-openai', model, data } };
}

function signed(model: string, text: string): ThinkingPart {
  const data = { signature: signerOf(model).sign(text, 'p') };
  return { type: 'thinking', text, opaque: { driver: 'processor-anthropic', model, data } };
}

function hidden(model: string, text: string): ThinkingPart {
  const data = { redacted: signerOf(model).seal(text, 'p') };
  return { type: 'thinking', text: '', opaque: { driver: 'processor-anthropic', model, data } };
}

/** What each provider thinks before it speaks; `n` makes it differ. */
export function thoughtsOf(provider: ProviderName, n: number): readonly ThinkingPart[] {
  switch (provider) {
    case 'chat':
      return n % 2 === 0 ? [{ type: 'thinking', text: `plainly thought ${n}` }] : [];
    case 'responses':
      return [reasoning('o3', `rs_${n}`)];
    case 'responses of another model':
      return [reasoning('o4-mini', `rs_${n}`)];
    case 'anthropic':
      return [];
    case 'thinker':
      return [signed('claude-haiku-4-5', `thought ${n} 🤔`), hidden('claude-haiku-4-5', `secret ${n}`)];
    case 'binder':
      return [signed('claude-opus-5-5', `bound thought ${n}`)];
  }
}
