/** The requests to the API server between two moments. */
import type { RequestCounts } from '../../control-plane/index.ts';

/** By verb and resource, groups left out: `PATCH nodes/status`, `POST events`. */
export type Requests = ReadonlyMap<string, number>;

export function requestsBetween(before: RequestCounts, after: RequestCounts): Requests {
  const between = new Map<string, number>();
  for (const [key, count] of after) {
    const more = count - (before.get(key) ?? 0);
    const [verb = '', target = ''] = key.split(' ');
    const [resource = '', subresource] = target.split('/');
    const [plural = ''] = resource.split('.');
    const short = `${verb} ${[plural, subresource].filter(Boolean).join('/')}`;
    if (more > 0) between.set(short, (between.get(short) ?? 0) + more);
  }
  return between;
}

export function concernsNodes(request: string): boolean {
  return (
    / nodes(?:\/status)?$/.test(request) || request === 'POST events' || request === 'PATCH events'
  );
}

export function isWrite(request: string): boolean {
  return /^(?:POST|PUT|PATCH|APPLY|DELETE|DELETECOLLECTION) /.test(request);
}

/** All writes but those of Leases, whose purpose is to be written. */
export function writesIn(requests: Requests): number {
  return [...requests]
    .filter(([request]) => isWrite(request) && !request.endsWith(' leases'))
    .reduce((sum, [, count]) => sum + count, 0);
}
