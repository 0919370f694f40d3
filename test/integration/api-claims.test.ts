/** The claims about the API, put to a real kube-apiserver: this is what makes them true. */
import { loadCredentials } from '@tandem/kube/credentials';
import { createTransport, type KubeTransport } from '@tandem/kube/transport';
import { sleep, systemClock, systemIds } from '@tandem/runtime';
import { claims, forgetting, Session } from '../api-claims/index.ts';
import {
  type ControlPlane,
  privateControlPlane,
  sharedControlPlane,
} from '../control-plane/index.ts';

async function connect({ kubeconfig }: ControlPlane): Promise<KubeTransport> {
  const credentials = await loadCredentials({ kubeconfig, environment: {}, clock: systemClock });
  return createTransport({ credentials, userAgent: 'tandem-tests' });
}

/** The server is shared with other files. */
const prefix = `claim-${systemIds.uuid().slice(0, 8)}`;
const elapse = (durationMs: number): Promise<void> => sleep(systemClock, durationMs);

describe('claims about the API, put to a real kube-apiserver', function () {
  this.timeout(60_000);
  let transport: KubeTransport;
  let session: Session;

  before(async function () {
    transport = await connect(await sharedControlPlane(this));
    session = new Session({ transport, prefix, elapse });
  });
  after(() => transport?.close());

  for (const { name, run } of claims) it(name, () => run(session));
});

describe('claims about forgotten versions, put to a real kube-apiserver', function () {
  this.timeout(60_000);
  let transport: KubeTransport;
  let session: Session;

  before(async function () {
    // The watch cache would remember what etcd has forgotten.
    const controlPlane = await privateControlPlane(this, { watchCache: 'off' });
    transport = await connect(controlPlane);
    const compact = async (): Promise<void> => void (await controlPlane.compactEtcd());
    session = new Session({ transport, prefix, elapse, compact });
  });
  after(() => transport?.close());

  for (const { name, run } of forgetting) it(name, () => run(session));
});
