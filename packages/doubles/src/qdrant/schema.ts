import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

/** The published description of the API that requests and answers are held against. */
const SPEC = new URL('../../specs/qdrant-openapi.subset.json', import.meta.url);

type Tree = { [key: string]: unknown };

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Tree;
  }[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: Tree } } };
  readonly responses: Readonly<
    Record<string, { readonly content?: { readonly 'application/json': { readonly schema: Tree } } }>
  >;
}

/** One endpoint of the description that a request is for. */
export interface Endpoint {
  readonly id: string;
  /** Decoded parts of the path, by name. */
  readonly path: Readonly<Record<string, string>>;
  readonly operation: Operation;
}

export interface QdrantSchemas {
  endpoint(method: string, path: string): Endpoint | undefined;
  /** What is wrong with a request by the published schema; empty when nothing is. */
  requestProblems(endpoint: Endpoint, query: URLSearchParams, body: unknown): string[];
  /** What is wrong with an answer of ours. */
  answerProblems(endpoint: Endpoint, status: number, body: unknown): string[];
}

let loaded: QdrantSchemas | undefined;

/** Read once: it costs a few hundred milliseconds. */
export function qdrantSchemas(): QdrantSchemas {
  loaded ??= loadSchemas();
  return loaded;
}

function loadSchemas(): QdrantSchemas {
  const document = JSON.parse(readFileSync(SPEC, 'utf8')) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Tree };
  };
  const definitions = toStandard(document.components.schemas) as Tree;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ $id: 'qdrant', $defs: definitions });
  const compiled = new Map<Tree, ValidateFunction>();
  const problems = (schema: Tree, value: unknown): string[] => {
    const validate = compiled.get(schema) ?? ajv.compile(absolute(toStandard(schema)) as Tree);
    compiled.set(schema, validate);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
  };
  return {
    endpoint: (method, path) => findEndpoint(document.paths, method, path),
    requestProblems: (endpoint, query, body) => [
      ...queryProblems(endpoint, query, problems),
      ...bodyProblems(endpoint, body, definitions, problems),
    ],
    answerProblems({ operation }, status, body) {
      const { responses } = operation;
      const response = responses[status] ?? (status >= 400 ? (responses['4XX'] ?? responses['default']) : {});
      const schema = response?.content?.['application/json'].schema;
      return schema === undefined ? [] : problems(schema, body);
    },
  };
}

function findEndpoint(
  paths: Record<string, Record<string, Operation>>,
  method: string,
  path: string,
): Endpoint | undefined {
  for (const [template, operations] of Object.entries(paths)) {
    const operation = operations[method.toLowerCase()];
    const found = operation && matchPath(template, path);
    if (operation && found) return { id: operation.operationId, path: found, operation };
  }
  return undefined;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const [wanted, given] = [template.split('/'), path.split('/')];
  if (wanted.length !== given.length) return undefined;
  const values: Record<string, string> = {};
  for (const [i, part] of wanted.entries()) {
    const name = /^\{(.+)\}$/.exec(part)?.[1];
    if (name !== undefined) values[name] = decodeURIComponent(given[i] ?? '');
    else if (part !== given[i]) return undefined;
  }
  return values;
}

type Problems = (schema: Tree, value: unknown) => string[];

function queryProblems({ operation }: Endpoint, query: URLSearchParams, problems: Problems): string[] {
  const known = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const unknown = [...query.keys()].filter((key) => !known.some(({ name }) => name === key));
  return [
    ...unknown.map((key) => `query: unknown parameter ${key}`),
    ...known.flatMap(({ name, schema }) => {
      const text = query.get(name);
      return text === null
        ? []
        : problems(schema, readParameter(text)).map((words) => `query ${name}: ${words}`);
    }),
  ];
}

function readParameter(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^\d+$/.test(text) ? Number(text) : text;
}

function bodyProblems(
  { operation }: Endpoint,
  body: unknown,
  definitions: Tree,
  problems: Problems,
): string[] {
  const schema = operation.requestBody?.content['application/json'].schema;
  if (schema === undefined) return [];
  const shape = problems(schema, body);
  if (shape.length > 0) return shape;
  // The real service passes over what it does not know; here a slip of the pen must not go unseen.
  const known = propertiesOf(definitions, toStandard(schema));
  return Object.keys(body as object)
    .filter((key) => !known.has(key))
    .map((key) => `unknown field ${key}`);
}

function propertiesOf(definitions: Tree, node: unknown): Set<string> {
  const { $ref, allOf, anyOf, oneOf, properties } = (node ?? {}) as Tree;
  const parts = [allOf, anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? (list as unknown[]) : []));
  if (typeof $ref === 'string') parts.push(definitions[$ref.replace('#/$defs/', '')]);
  const own = Object.keys((properties ?? {}) as Tree);
  return new Set([...own, ...parts.flatMap((part) => [...propertiesOf(definitions, part)])]);
}

/** OpenAPI 3.0 to JSON Schema: `nullable` becomes `anyOf […, null]`; alone, as here in lists of alternatives, it means null. */
function toStandard(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(toStandard);
  if (typeof node !== 'object' || node === null) return node;
  const { nullable, ...rest } = node as Tree;
  const mapped = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/components/schemas/', '#/$defs/')
        : toStandard(value),
    ]),
  );
  if (nullable !== true) return mapped;
  return Object.keys(mapped).length === 0 ? { type: 'null' } : { anyOf: [mapped, { type: 'null' }] };
}

// A schema that stands outside of the definitions names the document that they are in.
function absolute(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(absolute);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? `qdrant${value}` : absolute(value),
    ]),
  );
}
