import type { Onnx } from './runtime.js';

/**
 * Imports the optional dependency. From 1.30 its library reports to its maker: it puts a device id and a database into the
 * cache folder of HOME and is made to send them, unless this variable is set before the library is loaded. Whoever wants that sets
 * the variable themselves.
 */
export async function loadOnnx(): Promise<Onnx> {
  process.env['ORT_DISABLE_TELEMETRY'] ??= '1';
  return import('onnxruntime-node');
}
