/** What the service answers instead of a result. */
export class QdrantRefusal extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export function wrongInput(message: string): QdrantRefusal {
  return new QdrantRefusal(400, `Wrong input: ${message}`);
}

export function badRequest(message: string): QdrantRefusal {
  return new QdrantRefusal(400, `Bad request: ${message}`);
}

export function formatError(message: string): QdrantRefusal {
  return new QdrantRefusal(400, `Format error in JSON body: ${message}`);
}

export function notFound(collection: string): QdrantRefusal {
  return new QdrantRefusal(404, `Not found: Collection \`${collection}\` doesn't exist!`);
}
