/**
 * `user-last`: as `stable`, but the request ends with what is to be answered. Small models tend to answer whatever comes
 * last, also when it is a tail or a notice (seen with Qwen2.5 0.5B and SmolLM2 135M); so both stand before the user's
 * message. Worth a try, and no cure. It costs the cached prefix from there on, which on a server of one's own is the last
 * exchange.
 */
import type { Layout } from './layout.js';
import { stable } from './stable.js';

export const userLast: Layout = { ...stable, id: 'user-last', endsWithUser: true };
