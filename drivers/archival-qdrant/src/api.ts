import type { QdrantClient } from '@qdrant/js-client-rest';

/** The SDK's typed requests, one an endpoint. Unlike its methods they take a signal. */
export type QdrantApi = ReturnType<QdrantClient['api']>;

/** The slice of the official SDK that the driver uses. */
export interface QdrantApiClient {
  api(): QdrantApi;
}
