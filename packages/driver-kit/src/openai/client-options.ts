/** What the official SDK's constructor is given. Everything that it would else take from the environment is said. */
export interface OpenAIAccess {
  readonly apiKey?: string | undefined;
  readonly baseURL: string;
  readonly organization?: string | undefined;
  readonly project?: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

export function openAIClientOptions({ apiKey, baseURL, organization, project, headers }: OpenAIAccess) {
  return {
    apiKey: apiKey ?? 'not-needed',
    baseURL,
    organization: organization ?? null,
    project: project ?? null,
    adminAPIKey: null,
    webhookSecret: null,
    logLevel: 'off',
    maxRetries: 0,
    defaultHeaders: headers,
  } as const;
}
