/**
 * `user-last`: as `stable`, but behind the lead only the user, the model and its tools speak. What the kernel has to say,
 * notices and the tail, opens the user's message instead, and the request ends with what is to be answered. Small models
 * answer whatever comes last, also when it is a tail or a notice; and a system message amid the conversation, be it only
 * the time, makes them lose the thread (docs/real-models.md has the figures). Many templates refuse such messages besides.
 * It costs the cached prefix from the last user's message on, which on a server of one's own is the last exchange.
 */
import type { Layout } from './layout.js';
import { stable } from './stable.js';

export const userLast: Layout = { ...stable, id: 'user-last', endsWithUser: true };
