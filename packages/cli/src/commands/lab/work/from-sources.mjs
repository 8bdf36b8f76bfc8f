// The same thread from the sources: it needs the loader that the program has, which threads do not inherit.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
