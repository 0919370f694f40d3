/**
 * The embedded API server as a cluster for scenarios: over HTTPS in this process, with the rights that
 * are applied to it and a record of who asked for what. It starts in milliseconds.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCluster, type EmbeddedCluster } from '@tandem/devcluster/model';
import { type AnsweredRequest, serve, type ServedCluster } from '@tandem/devcluster/serve';
import { systemClock, systemIds, systemRandom } from '@tandem/runtime';
import type { AuditEntry, Credentials } from '../../control-plane/index.ts';
import type { Cluster } from './cluster.ts';

export class EmbeddedControlPlane implements Cluster {
  readonly directory: string;
  readonly kubeconfig: string;
  readonly admin: Credentials;
  readonly apiServer: Cluster['apiServer'];
  readonly auditLog: { entries(): AsyncGenerator<AuditEntry> };
  /** For what only its owner can do to it. */
  readonly model: EmbeddedCluster;
  readonly #served: ServedCluster;

  static async start(): Promise<EmbeddedControlPlane> {
    const directory = await mkdtemp(join(tmpdir(), 'tandem-embedded-'));
    const model = createCluster({ clock: systemClock, random: systemRandom });
    const answered: AnsweredRequest[] = [];
    const served = await serve({
      cluster: model,
      clock: systemClock,
      ids: systemIds,
      onAnswered: (entry) => void answered.push(entry),
    });
    const plane = new EmbeddedControlPlane({ directory, model, served, answered });
    await writeFile(plane.kubeconfig, served.kubeconfig, { mode: 0o600 });
    return plane;
  }

  private constructor(parts: {
    readonly directory: string;
    readonly model: EmbeddedCluster;
    readonly served: ServedCluster;
    readonly answered: readonly AnsweredRequest[];
  }) {
    const { served, answered } = parts;
    this.directory = parts.directory;
    this.kubeconfig = join(parts.directory, 'admin.kubeconfig');
    this.admin = { server: served.server, ca: served.ca, ...served.admin };
    this.apiServer = {
      start: () => served.start(),
      stop: () => served.stop(),
      pause: async () => served.pause(),
      resume: () => served.resume(),
    };
    this.auditLog = { entries: () => entriesOf(answered) };
    this.model = parts.model;
    this.#served = served;
  }

  async stop(): Promise<void> {
    await this.#served.stop();
    await rm(this.directory, { recursive: true, force: true });
  }
}

async function* entriesOf(answered: readonly AnsweredRequest[]): AsyncGenerator<AuditEntry> {
  for (const request of answered.slice()) yield entryOf(request);
}

function entryOf(request: AnsweredRequest): AuditEntry {
  const { user, attributes, target, userAgent, status, receivedAtMs } = request;
  return {
    verb: attributes.verb,
    requestURI: target,
    user: { username: user.name, groups: user.groups },
    userAgent,
    ...(attributes.kind === 'resource' ? { objectRef: objectOf(attributes) } : {}),
    responseStatus: { code: status },
    requestReceivedTimestamp: new Date(receivedAtMs).toISOString(),
  };
}

/** What an object has not is left out. */
function objectOf(
  attributes: AnsweredRequest['attributes'] & { readonly kind: 'resource' },
): NonNullable<AuditEntry['objectRef']> {
  const { resource, subresource, namespace, name, group } = attributes;
  return {
    resource,
    ...(subresource === '' ? {} : { subresource }),
    ...(namespace === '' ? {} : { namespace }),
    ...(name === '' ? {} : { name }),
    ...(group === '' ? {} : { apiGroup: group }),
  };
}
