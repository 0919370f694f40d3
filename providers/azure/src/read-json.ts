/** Reads a document without any credentials, through the SDK's own transport and the proxy. */
import { createDefaultHttpClient, createPipelineRequest } from '@azure/core-rest-pipeline';
import type { Agents } from '@tandem/provider/calls';

const timeoutMs = 10_000;

export async function readJson(
  url: string,
  options: { readonly agents: Agents; readonly signal: AbortSignal },
): Promise<unknown> {
  const request = createPipelineRequest({
    url,
    timeout: timeoutMs,
    agent: options.agents.https,
    abortSignal: options.signal,
  });
  const { status, bodyAsText } = await createDefaultHttpClient().sendRequest(request);
  if (status !== 200) throw new Error(`the answer was ${status}`);
  try {
    return JSON.parse(bodyAsText ?? '');
  } catch {
    throw new Error('the answer is not JSON');
  }
}
