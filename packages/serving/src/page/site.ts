/**
 * Finds the page of a path. Only an exact path is a page. A request gets here only if its client has the right to the
 * path, or if the path is open to all clients.
 */
import type { IncomingHttpHeaders } from 'node:http';
import {
  jsonReply,
  notAllowedMethod,
  notFound,
  onlyPut,
  type Reply,
  textReply,
} from '../http/reply.ts';
import type { Target } from '../http/target.ts';
import {
  type HealthCheck,
  type HealthPage,
  healthPages,
  type ListPage,
  type Pages,
} from '../pages.ts';
import { compressed } from './compress.ts';
import type { CpuProfiler } from './cpu-profile.ts';
import { checkReply, healthReply, outcomeOf } from './health.ts';
import type { HealthLog } from './health-log.ts';
import { listReply } from './list-page.ts';
import { verbosityReply } from './verbosity.ts';
import { flagzReply, statuszReply } from './z-pages.ts';

export interface Visit {
  readonly method: string;
  readonly target: Target;
  readonly headers: IncomingHttpHeaders;
  /** Reads the body; undefined if it is longer than `bytesMax`. */
  readonly readText: (bytesMax: number) => Promise<string | undefined>;
  /** Aborts when the client has left. */
  readonly signal: AbortSignal;
}

export interface Site {
  reply(visit: Visit): Promise<Reply>;
  /** Returns the label of a path in metrics: the path itself if it is a page. */
  labelOf(path: string): string;
}

interface SiteParts {
  readonly pages: Pages;
  /** The checks of the secure port itself, which every health page shows after its first check. */
  readonly ownChecks: readonly HealthCheck[];
  readonly health: HealthLog;
  readonly metricsType: string;
  /** Undefined without `--profiling`. */
  readonly profiler: CpuProfiler | undefined;
}

type Page = (visit: Visit) => Promise<Reply> | Reply;

export function createSite(parts: SiteParts): Site {
  const pages = pagesOf(parts);
  const changes = changesOf(parts);
  return {
    async reply(visit) {
      const { path } = visit.target;
      const change = changes.get(path);
      if (change !== undefined) return visit.method === 'PUT' ? change(visit) : onlyPut;
      const page = pages.get(path) ?? singleCheck(parts, path);
      if (page === undefined) return notFound;
      if (visit.method !== 'GET' && visit.method !== 'HEAD') return notAllowedMethod;
      return page(visit);
    },
    labelOf: (path) => (pages.has(path) || changes.has(path) ? path : 'other'),
  };
}

function pagesOf(parts: SiteParts): ReadonlyMap<string, Page> {
  const { pages, health, metricsType, profiler } = parts;
  const all = new Map<string, Page>([
    ...healthPages.map((page) => [`/${page}`, healthPageOf(parts, page)] as const),
    [
      '/metrics',
      async ({ headers }) =>
        compressed(metricsReply(await pages.metrics(), metricsType), headers['accept-encoding']),
    ],
    ['/metrics/slis', () => slisReply(parts, health)],
    ['/configz', () => jsonReply(pages.configz())],
    ['/flagz', ({ headers }) => flagzReply(headers.accept, pages.flagz())],
    ['/statusz', ({ headers }) => statuszReply(headers.accept, pages.statusz(), paths())],
  ]);
  for (const [name, page] of pages.lists) all.set(`/statusz/${name}`, listPageOf(page));
  const paths = (): readonly string[] => [...all.keys(), ...changesOf(parts).keys()].toSorted();
  if (profiler === undefined) return all;
  all.set('/debug/pprof/', () => textReply(200, pprofIndex));
  all.set('/debug/pprof/profile', ({ target, signal }) => profiler.reply(target.query, signal));
  return all;
}

/** Returns the pages that change a setting. As in upstream's manager, they exist only with `--profiling`. */
function changesOf({ pages, profiler }: SiteParts): ReadonlyMap<string, Page> {
  if (profiler === undefined || pages.setVerbosity === undefined) return new Map();
  const set = (verbosity: number): void => pages.setVerbosity?.(verbosity);
  return new Map([['/debug/flags/v', ({ readText }) => verbosityReply(readText, set)]]);
}

function listPageOf(page: ListPage): Page {
  return ({ target, headers }) =>
    listReply(page, {
      query: target.query,
      ifNoneMatch: headers['if-none-match'],
      acceptEncoding: headers['accept-encoding'],
    });
}

const pprofIndex = "/debug/pprof/profile?seconds=30  CPU profile in V8's format (.cpuprofile)\n";

function healthPageOf(parts: SiteParts, page: HealthPage): Page {
  return ({ target }) =>
    healthReply({
      page,
      checks: checksOf(parts, page),
      query: target.query,
      observe: (name, outcome) => parts.health.observe(page, name, outcome),
    });
}

/** Returns the page of a single check, such as `/livez/ping`. */
function singleCheck(parts: SiteParts, path: string): Page | undefined {
  const page = healthPages.find((name) => path.startsWith(`/${name}/`));
  if (page === undefined) return undefined;
  const name = path.slice(`/${page}/`.length);
  const check = checksOf(parts, page).find((each) => each.name === name);
  if (check === undefined) return undefined;
  return () => checkReply(check, (_, outcome) => parts.health.observe(page, name, outcome));
}

/** Passes as long as the program answers at all. */
const ping: HealthCheck = { name: 'ping', check: () => ({ ok: true }) };

function checksOf({ pages, ownChecks }: SiteParts, page: HealthPage): readonly HealthCheck[] {
  return [ping, ...pages[page], ...ownChecks];
}

function metricsReply(body: string, contentType: string): Reply {
  return { status: 200, contentType, body };
}

/** Runs all checks at each scrape, so that the metrics are current. */
async function slisReply(parts: SiteParts, health: HealthLog): Promise<Reply> {
  for (const page of healthPages) {
    for (const check of checksOf(parts, page)) health.observe(page, check.name, outcomeOf(check));
  }
  return metricsReply(await health.render(), health.contentType);
}
