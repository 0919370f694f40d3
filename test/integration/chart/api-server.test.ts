/** The rendered manifests and a real API server: it takes every object, the pods, and puts requests where the README says. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { flowClaims } from '../../../tools/chart/flow-schemas.ts';
import { presets, renderedManifests } from '../../../tools/chart/rendered.ts';
import { type ApiResponse, eventually, request } from '../../control-plane/index.ts';
import { collectionOf } from '../manager/shipped-access.ts';
import { useInstallation } from '../manager/installation.ts';
import { type KubeObject, root, useHelm } from './helm.ts';

describe('the rendered manifests and the API server', function () {
  this.timeout(60_000);
  const { installation } = useInstallation();
  const { render } = useHelm();

  const objectsIn = async (path: string): Promise<KubeObject[]> =>
    parseAllDocuments(await readFile(join(root, path), 'utf8')).map((each) => each.toJS());

  /** As `kubectl apply --server-side --dry-run=server` asks. */
  function tryToApply(object: KubeObject): Promise<ApiResponse> {
    return request(installation().controlPlane.admin, {
      method: 'PATCH',
      path: `${collectionOf(object)}/${object.metadata.name}?dryRun=All&fieldManager=chart&force=true&fieldValidation=Strict`,
      contentType: 'application/apply-patch+yaml',
      body: object,
    });
  }

  /** As the ReplicaSet controller would create the pod, admission included. */
  async function tryToRun(objects: readonly KubeObject[], namespace: string): Promise<ApiResponse> {
    const deployment = objects.find(({ kind }) => kind === 'Deployment');
    const { metadata, spec } = Reflect.get(Object(deployment?.['spec']), 'template');
    return request(installation().controlPlane.admin, {
      method: 'POST',
      path: `/api/v1/namespaces/${namespace}/pods?dryRun=All&fieldValidation=Strict`,
      body: {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...metadata, generateName: 'cloud-controller-manager-' },
        spec,
      },
    });
  }

  async function create(object: KubeObject): Promise<void> {
    const question = { method: 'POST', path: collectionOf(object), body: object } as const;
    const { status, text } = await request(installation().controlPlane.admin, question);
    assert.equal(status, 201, text);
  }

  before(async () => {
    const folder = join(import.meta.dirname, 'crds');
    const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml'));
    for (const file of files) await create(parse(await readFile(join(folder, file), 'utf8')));
    // The API server serves a new kind a moment after its definition.
    const isServed = async (kind: string): Promise<boolean> => {
      const path = `/apis/monitoring.coreos.com/v1/${kind}`;
      return (await request(installation().controlPlane.admin, { path })).status === 200;
    };
    for (const kind of ['podmonitors', 'prometheusrules']) await eventually(() => isServed(kind));
  });

  for (const { path } of renderedManifests) {
    it(`agree on every object of ${path}`, async () => {
      const objects = await objectsIn(path);
      assert.ok(objects.length > 5);
      for (const object of objects) {
        const { status, text } = await tryToApply(object);
        assert.ok([200, 201].includes(status), `${object.kind} ${object.metadata.name}: ${text}`);
      }
    });
  }

  it('agree on every object that values can add', async () => {
    const objects = await render({
      cloudConfig: { content: 'instances: []', name: '' },
      configuration: { excludeCIDRs: [{ cidr: '192.0.2.0/24' }] },
      metrics: {
        readers: [
          { kind: 'ServiceAccount', name: 'prometheus', namespace: 'monitoring' },
          { kind: 'Group', name: 'observers' },
        ],
      },
      viewers: [
        { kind: 'ServiceAccount', name: 'audit', namespace: 'monitoring' },
        { kind: 'User', name: 'jane' },
        { kind: 'Group', name: 'platform-team' },
      ],
      controlPlaneNodes: 'required',
      args: { 'cluster-cidr': '10.244.0.0/16,fd00:10:244::/48', 'bind-address': '::' },
      nodeSelector: { disk: 'ssd' },
      podAnnotations: { a: 'b' },
      podLabels: { 'azure.workload.identity/use': 'true' },
      serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/r' } },
      volumes: [{ name: 'scratch', emptyDir: {} }],
      volumeMounts: [{ name: 'scratch', mountPath: '/scratch' }],
      image: { pullSecrets: [{ name: 'registry' }] },
      controllerAccounts: true,
    });
    for (const object of objects) {
      const { status, text } = await tryToApply(object);
      assert.ok([200, 201].includes(status), `${object.kind} ${object.metadata.name}: ${text}`);
    }
  });

  it('agree on a DaemonSet', async () => {
    const objects = await render({ kind: 'DaemonSet', controlPlaneNodes: 'required' });
    const daemonSet = objects.find(({ kind }) => kind === 'DaemonSet');
    assert.ok(daemonSet !== undefined);
    const { status, text } = await tryToApply(daemonSet);
    assert.ok([200, 201].includes(status), text);
  });

  for (const preset of presets) {
    it(`agree on the pod for ${preset}`, async () => {
      const objects = await objectsIn(`manifests/rendered/${preset}.yaml`);
      const { status, text } = await tryToRun(objects, 'kube-system');
      assert.equal(status, 201, text);
      // The class is one that every cluster has.
      assert.equal(JSON.parse(text).spec.priority, 2_000_000_000);
    });
  }

  it('agree that the pods are restricted without the network of the host', async () => {
    const namespace = 'restricted-managers';
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    const metadata = { name: namespace, labels };
    await create({ apiVersion: 'v1', kind: 'Namespace', metadata });
    const name = 'cloud-controller-manager';
    await create({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace } });
    const restricted = await render({ hostNetwork: false });
    // Admission learns of the new account by a watch.
    await eventually(async () => (await tryToRun(restricted, namespace)).status === 201);
    const onHost = await tryToRun(await render({ hostNetwork: true }), namespace);
    assert.equal(onHost.status, 403);
    assert.match(onHost.text, /host namespaces \(hostNetwork=true\)/);
  });

  it('agree on the FlowSchemas that the README names', async () => {
    const { admin } = installation().controlPlane;
    const { cert: _, key: _key, ...server } = admin;
    const names = new Map<string, string>();
    const group = '/apis/flowcontrol.apiserver.k8s.io/v1';
    for (const kind of ['flowschemas', 'prioritylevelconfigurations']) {
      const { text } = await request(admin, { path: `${group}/${kind}` });
      for (const { metadata } of JSON.parse(text).items) names.set(metadata.uid, metadata.name);
    }
    const nameOf = (answer: ApiResponse, header: string): string | undefined =>
      names.get(String(answer.headers[`x-kubernetes-pf-${header}-uid`]));
    for (const { method, path, flowSchema, priorityLevel } of flowClaims) {
      const answer = await request({ ...server, token: installation().token }, { method, path });
      assert.deepEqual(
        [nameOf(answer, 'flowschema'), nameOf(answer, 'prioritylevel')],
        [flowSchema, priorityLevel],
        path,
      );
    }
  });
});
