/**
 * The API server's own metrics. The counts start at zero with each process, and include the requests that the server
 * makes to itself.
 */
import { type Credentials, request } from './request.ts';

/**
 * Answered requests by verb and resource: `PATCH nodes/status`, `LIST nodes`, `POST events.events.k8s.io`. A watch
 * counts when it ends, not when it begins.
 */
export type RequestCounts = ReadonlyMap<string, number>;

export async function requestCounts(admin: Credentials): Promise<RequestCounts> {
  const { text } = await request(admin, { path: '/metrics' });
  return parseRequestCounts(text);
}

function parseRequestCounts(metrics: string): RequestCounts {
  const counts = new Map<string, number>();
  for (const [, labels = '', value = ''] of metrics.matchAll(requestTotal)) {
    const { verb = '', resource = '', subresource = '', group = '' } = parseLabels(labels);
    if (resource === '') continue;
    const full = [resource, group].filter((part) => part !== '').join('.');
    const key = `${verb} ${[full, subresource].filter((part) => part !== '').join('/')}`;
    counts.set(key, (counts.get(key) ?? 0) + Number(value));
  }
  return counts;
}

const requestTotal = /^apiserver_request_total\{(.*)\} (\S+)$/gm;

function parseLabels(text: string): Record<string, string | undefined> {
  return Object.fromEntries(
    [...text.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value]),
  );
}
