export { type Colours, type ColourSettings, coloursFor } from './colours.js';
export { formatError } from './error.js';
export { formatBytes, formatDollars, formatDuration, formatNumber, formatPercent } from './format.js';
export { printable } from './printable.js';
export {
  createProgress,
  type Progress,
  type ProgressOptions,
  type ProgressStream,
  type ProgressView,
  renderProgress,
} from './progress.js';
export { type Column, formatTable } from './table.js';
export { displayWidth, fitWidth } from './width.js';
