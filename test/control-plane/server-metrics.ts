/**
 * What the API server says about itself under `/metrics`. The counts are those of the process: they
 * start again at zero when it is restarted, and they include the requests that the server makes to
 * itself.
 */
import { readFile } from 'node:fs/promises';
import { type Credentials, request } from './request.ts';

/**
 * Answered requests by what they did: `PATCH nodes/status`, `LIST nodes`, `POST
 * events.events.k8s.io`. A watch counts when it ends, not when it begins.
 */
export type RequestCounts = ReadonlyMap<string, number>;

export async function requestCounts(admin: Credentials): Promise<RequestCounts> {
  const { text } = await request(admin, { path: '/metrics' });
  return parseRequestCounts(text);
}

export function parseRequestCounts(metrics: string): RequestCounts {
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

/**
 * CPU seconds that the API server has used. On Linux the kernel is asked, because answering
 * `/metrics` costs the server about 30 ms of what is being measured.
 */
export async function cpuSeconds(admin: Credentials, pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  if (stat !== undefined) return parseProcessorTicks(stat) / ticksPerSecond;
  const { text } = await request(admin, { path: '/metrics' });
  return Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** Linux reports in hundredths of a second to every program, whatever the kernel's own rate is. */
const ticksPerSecond = 100;

/** User and system time: the fields 14 and 15, counted behind the name, which may hold blanks. */
function parseProcessorTicks(stat: string): number {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}
