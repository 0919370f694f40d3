/** Reads a JSON document without credentials, through the SDK's own transport and the proxy. */
import { createDefaultHttpClient, createPipelineRequest } from '@azure/core-rest-pipeline';
import type { Agents } from '@tandem/provider/calls';
import { parseRetryAfter, type Retry } from '@tandem/runtime';

const timeoutMs = 10_000;

/** The server answered, but not with the document. A later attempt may succeed unless `retry` is `never`. */
export class AnswerError extends Error {
  readonly retry: Retry;

  constructor(message: string, retry: Retry) {
    super(message);
    this.name = 'AnswerError';
    this.retry = retry;
  }
}

export async function readJson(
  url: string,
  options: { readonly agents: Agents; readonly signal: AbortSignal; readonly nowMs: number },
): Promise<unknown> {
  const request = createPipelineRequest({
    url,
    timeout: timeoutMs,
    abortSignal: options.signal,
  });
  // The SDK ignores the option of the same name, and with it the proxy.
  request.agent = options.agents.https;
  const response = await createDefaultHttpClient().sendRequest(request);
  const { status, headers, bodyAsText } = response;
  if (status !== 200) {
    const afterMs = parseRetryAfter(headers.get('retry-after'), options.nowMs);
    const retry = afterMs === undefined ? 'backoff' : { afterMs };
    throw new AnswerError(`the answer was ${status}`, status === 404 ? 'never' : retry);
  }
  try {
    return JSON.parse(bodyAsText ?? '');
  } catch {
    throw new AnswerError('the answer is not JSON', 'never');
  }
}
