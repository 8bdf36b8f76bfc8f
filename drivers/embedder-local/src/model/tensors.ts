import { readPackageFile, unreadable, type WeightsPackage } from './package.js';

/** The float tensors of the package by their name in the traced graph; each in row-major order. */
export type Tensors = (name: string, length: number) => Float32Array;

interface ModelFile {
  readonly weightsManifest: readonly WeightGroup[];
}

interface WeightGroup {
  readonly paths: readonly string[];
  readonly weights: readonly { readonly name: string; readonly shape: readonly number[] }[];
}

const BYTES_PER_NUMBER = 4; // float32 and int32: the package holds nothing else

/** Reads all tensors (28 MB). They share one buffer. Errors: `E_STORAGE`. */
export async function readTensors(from: WeightsPackage): Promise<Tensors> {
  const model = JSON.parse((await readPackageFile(from, 'model.json')).toString('utf8')) as ModelFile;
  const paths = model.weightsManifest.flatMap((group) => group.paths);
  const shards = await Promise.all(paths.map((path) => readPackageFile(from, path)));
  const byName = slice(model, Buffer.concat(shards));
  return (name, length) => {
    const tensor = byName.get(name);
    if (tensor?.length !== length)
      throw unreadable(`tensor ${name} (${tensor?.length} of ${length} numbers)`);
    return tensor;
  };
}

function slice(model: ModelFile, bytes: Buffer): ReadonlyMap<string, Float32Array> {
  const byName = new Map<string, Float32Array>();
  let offset = bytes.byteOffset;
  const end = bytes.byteOffset + bytes.byteLength;
  for (const { name, shape } of model.weightsManifest.flatMap((group) => group.weights)) {
    const length = shape.reduce((product, side) => product * side, 1);
    if (offset + length * BYTES_PER_NUMBER > end)
      throw unreadable(`tensor ${name}: the shards are too short`);
    byName.set(name, new Float32Array(bytes.buffer, offset, length));
    offset += length * BYTES_PER_NUMBER;
  }
  return byName;
}
