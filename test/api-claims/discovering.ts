/** Tables, metadata-only answers, discovery, reviews, initial namespaces and unknown paths. */
import assert from 'node:assert/strict';
import { type Claim, coreEvents, events, leases, nodes, verdictOf } from './session.ts';

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json';
const partial = (kind: string): string => `application/json;as=${kind};g=meta.k8s.io;v=v1`;

const columnsOf = (body: { columnDefinitions: { name: string; priority: number }[] }): string[] =>
  body.columnDefinitions.map(({ name, priority }) => (priority === 0 ? name : `(${name})`));

const review = (group: string, resource: string) => `/apis/${group}.k8s.io/v1/${resource}`;

export const discovering: readonly Claim[] = [
  {
    name: 'kubectl get nodes gets a table with its columns',
    async run(api) {
      const { metadata } = await api.aNode({
        metadata: {
          labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/edge': '' },
        },
        spec: { unschedulable: true },
        status: {
          addresses: [
            { type: 'ExternalIP', address: '192.0.2.1' },
            { type: 'InternalIP', address: 'fd00::1' },
            { type: 'InternalIP', address: '10.0.0.1' },
          ],
          conditions: [{ type: 'Ready', status: 'True' }],
          nodeInfo: { kubeletVersion: 'v1.36.4', osImage: 'an OS' },
        },
      });
      const path = `${nodes}?fieldSelector=metadata.name%3D${metadata.name}`;
      const { body } = await api.want(200, { path, accept: table });
      assert.deepEqual(columnsOf(body), [
        'Name',
        'Status',
        'Roles',
        'Age',
        'Version',
        '(Internal-IP)',
        '(External-IP)',
        '(OS-Image)',
        '(Kernel-Version)',
        '(Container-Runtime)',
      ]);
      const [name, status, roles, age, ...rest] = body.rows[0].cells;
      assert.deepEqual(
        [name, status, roles],
        [metadata.name, 'Ready,SchedulingDisabled', 'edge,worker'],
      );
      assert.match(age, /^\d+s$/);
      assert.deepEqual(rest, [
        'v1.36.4',
        'fd00::1',
        '192.0.2.1',
        'an OS',
        '<unknown>',
        '<unknown>',
      ]);
      assert.equal(body.rows[0].object.kind, 'PartialObjectMetadata');
      assert.equal(body.columnDefinitions[0].format, 'name');
    },
  },
  {
    name: 'a node without conditions is Unknown, and one that is not ready NotReady',
    async run(api) {
      const statusOf = async (status: object): Promise<string> => {
        const { metadata } = await api.aNode({ status });
        const answer = await api.want(200, { path: `${nodes}/${metadata.name}`, accept: table });
        return answer.body.rows[0].cells[1];
      };
      assert.equal(await statusOf({}), 'Unknown');
      const of = (status: string) => ({ conditions: [{ type: 'Ready', status }] });
      assert.equal(await statusOf(of('False')), 'NotReady');
      assert.equal(await statusOf(of('Unknown')), 'NotReady');
    },
  },
  {
    name: 'leases and events have tables of their own',
    async run(api) {
      const name = api.name();
      const spec = { holderIdentity: 'me' };
      await api.want(201, { method: 'POST', path: leases, body: { metadata: { name }, spec } });
      const lease = (await api.want(200, { path: `${leases}/${name}`, accept: table })).body;
      assert.deepEqual(columnsOf(lease), ['Name', 'Holder', 'Age']);
      assert.deepEqual(lease.rows[0].cells.slice(0, 2), [name, 'me']);
      const body = {
        metadata: { name },
        involvedObject: { kind: 'Node', name: 'n' },
        reason: 'R',
        message: 'm',
        type: 'Warning',
        count: 3,
        source: { component: 'kubelet', host: 'h' },
      };
      await api.want(201, { method: 'POST', path: coreEvents, body });
      for (const path of [`${coreEvents}/${name}`, `${events}/${name}`]) {
        const event = (await api.want(200, { path, accept: table })).body;
        const names =
          'Last Seen,Type,Reason,Object,(Subobject),(Source),Message,(First Seen),(Count),(Name)';
        assert.equal(columnsOf(event).join(), names);
        assert.deepEqual(event.rows[0].cells, [
          '<unknown>',
          'Warning',
          'R',
          'node/n',
          '',
          'kubelet, h',
          'm',
          '<unknown>',
          3,
          name,
        ]);
      }
    },
  },
  {
    name: 'an object, a list and a write can be answered with metadata only',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      const one = (await api.want(200, { path, accept: partial('PartialObjectMetadata') })).body;
      assert.deepEqual(Object.keys(one).toSorted(), ['apiVersion', 'kind', 'metadata']);
      assert.deepEqual([one.kind, one.metadata.uid], ['PartialObjectMetadata', metadata.uid]);
      const listed = await api.want(200, {
        path: `${nodes}?limit=1`,
        accept: partial('PartialObjectMetadataList'),
      });
      assert.equal(listed.body.items[0].kind, 'PartialObjectMetadata');
      const accept = `${partial('PartialObjectMetadata')},application/json`;
      const contentType = 'application/merge-patch+json';
      const body = { spec: { unschedulable: true } };
      const written = await api.want(200, { method: 'PATCH', path, body, contentType, accept });
      assert.deepEqual(
        [written.body.kind, written.body.spec],
        ['PartialObjectMetadata', undefined],
      );
    },
  },
  {
    name: 'an unavailable form is refused with 406',
    async run(api) {
      const accepts = ['text/html', partial('PartialObjectMetadata')];
      for (const accept of accepts) {
        const answer = await api.want(406, { path: `${nodes}?limit=1`, accept });
        assert.equal(answer.body.reason, 'NotAcceptable');
      }
    },
  },
  {
    name: 'discovery describes everything in one document on request',
    async run(api) {
      const accept =
        'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json';
      const core = await api.want(200, { path: '/api', accept });
      assert.equal(core.headers['content-type'], accept.split(',')[0]);
      assert.equal(core.body.kind, 'APIGroupDiscoveryList');
      const { resources } = core.body.items[0].versions[0];
      const node = resources.find(({ resource }: { resource: string }) => resource === 'nodes');
      assert.deepEqual(
        [node.scope, node.singularResource, node.shortNames, node.responseKind.kind],
        ['Cluster', 'node', ['no'], 'Node'],
      );
      assert.ok(
        node.subresources.some((part: { subresource: string }) => part.subresource === 'status'),
      );
      const others = await api.want(200, { path: '/apis', accept });
      const groups = others.body.items.map(
        ({ metadata }: { metadata: { name: string } }) => metadata.name,
      );
      for (const group of ['coordination.k8s.io', 'events.k8s.io', 'authorization.k8s.io']) {
        assert.ok(groups.includes(group), group);
      }
    },
  },
  {
    name: 'discovery describes group by group for older clients',
    async run(api) {
      assert.deepEqual((await api.want(200, { path: '/api' })).body.versions, ['v1']);
      assert.equal((await api.want(200, { path: '/apis' })).body.kind, 'APIGroupList');
      const { body } = await api.want(200, { path: '/api/v1' });
      const names = body.resources.map(({ name }: { name: string }) => name);
      for (const name of ['nodes', 'nodes/status', 'events', 'configmaps', 'namespaces', 'pods']) {
        assert.ok(names.includes(name), name);
      }
      const group = await api.want(200, { path: '/apis/coordination.k8s.io' });
      assert.equal(group.body.preferredVersion.groupVersion, 'coordination.k8s.io/v1');
      const leaseList = await api.want(200, { path: '/apis/coordination.k8s.io/v1' });
      assert.equal(leaseList.body.resources[0].kind, 'Lease');
    },
  },
  {
    name: 'OpenAPI shows that the server validates fields, and how lists merge',
    async run(api) {
      const index = JSON.parse((await api.want(200, { path: '/openapi/v3' })).text);
      const path = index.paths['api/v1'].serverRelativeURL;
      const document = JSON.parse((await api.want(200, { path })).text);
      const parameters = document.paths['/api/v1/nodes/{name}'].patch.parameters;
      assert.ok(parameters.some(({ name }: { name: string }) => name === 'fieldValidation'));
      const { conditions, taints } =
        document.components.schemas['io.k8s.api.core.v1.NodeStatus'].properties;
      assert.equal(conditions['x-kubernetes-patch-merge-key'], 'type');
      assert.equal(taints, undefined);
    },
  },
  {
    name: 'version and health can be read',
    async run(api) {
      const { body } = await api.want(200, { path: '/version' });
      assert.match(body.gitVersion, /^v1\.\d+\.\d+/);
      for (const path of ['/healthz', '/livez', '/readyz']) {
        assert.equal((await api.want(200, { path })).text, 'ok');
      }
    },
  },
  {
    name: 'an administrator may do everything, and reviews say so',
    async run(api) {
      const path = review('authorization', 'selfsubjectaccessreviews');
      const body = { spec: { resourceAttributes: { verb: 'delete', resource: 'nodes' } } };
      assert.equal((await api.want(201, { method: 'POST', path, body })).body.status.allowed, true);
      const page = { spec: { nonResourceAttributes: { verb: 'get', path: '/metrics' } } };
      const asked = await api.want(201, { method: 'POST', path, body: page });
      assert.equal(asked.body.status.allowed, true);
      const odd = await api.ask({ method: 'POST', path, body: { spec: {} } });
      const cause = 'spec.resourceAttributes FieldValueInvalid';
      assert.deepEqual(verdictOf(odd), [422, 'Invalid', cause]);
      assert.equal((await api.ask({ path })).status, 405);
      const self = review('authentication', 'selfsubjectreviews');
      const { userInfo } = (await api.want(201, { method: 'POST', path: self, body: {} })).body
        .status;
      assert.ok(userInfo.groups.includes('system:masters'));
    },
  },
  {
    name: 'the initial namespaces exist, active and labelled by their names',
    async run(api) {
      for (const name of ['default', 'kube-system', 'kube-node-lease', 'kube-public']) {
        const { body } = await api.want(200, { path: `/api/v1/namespaces/${name}` });
        assert.equal(body.status.phase, 'Active');
        assert.equal(body.metadata.labels['kubernetes.io/metadata.name'], name);
      }
    },
  },
  {
    name: 'a new namespace is active at once, and its name has no dots',
    async run(api) {
      const path = '/api/v1/namespaces';
      const name = api.name();
      const { body } = await api.want(201, { method: 'POST', path, body: { metadata: { name } } });
      assert.deepEqual([body.status.phase, body.spec.finalizers], ['Active', ['kubernetes']]);
      const lease = { metadata: { name } };
      await api.want(201, {
        method: 'POST',
        path: leases.replace('kube-system', name),
        body: lease,
      });
      const dotted = await api.ask({ method: 'POST', path, body: { metadata: { name: 'a.b' } } });
      assert.deepEqual(verdictOf(dotted), [422, 'Invalid', 'metadata.name FieldValueInvalid']);
    },
  },
  {
    name: 'unknown paths and methods are refused with 404 and 405',
    async run(api) {
      const unknown = await api.want(404, { path: '/api/v1/nonsense' });
      assert.deepEqual([unknown.body.reason, unknown.body.details], ['NotFound', {}]);
      await api.want(404, { path: `${nodes}/x/nonsense` });
      assert.match((await api.want(404, { path: '/nonsense' })).text, /^404 page not found/);
      await api.want(404, { path: '/apis/nonsense/v1/things' });
      const post = await api.want(405, { method: 'POST', path: `${nodes}/x`, body: {} });
      assert.equal(post.body.reason, 'MethodNotAllowed');
    },
  },
  {
    name: 'unknown versions, resources and groups are not found',
    async run(api) {
      for (const path of [
        '/apis/coordination.k8s.io/v1beta1/leases',
        '/apis/coordination.k8s.io/v1/foos',
        '/apis/events.k8s.io/v1beta1/events',
        '/apis/apps/v1beta1/deployments',
        '/apis/apps/v1/foos',
        '/apis/policy/v1beta1/x',
        '/apis/foo.k8s.io/v1/foos',
        `${nodes}/n/foo`,
      ]) {
        await api.want(404, { path });
      }
    },
  },
  {
    name: 'a patch of an unknown media type is refused before the object is looked up',
    async run(api) {
      const path = `${nodes}/${api.name()}`;
      await api.want(415, { method: 'PATCH', path, body: {}, contentType: 'text/plain' });
    },
  },
  {
    name: 'application/* is not acceptable, and includeObject matters only to tables',
    async run(api) {
      const { metadata } = await api.aNode();
      const path = `${nodes}/${metadata.name}`;
      await api.want(406, { path, accept: 'application/*' });
      await api.want(200, { path, accept: 'application/*, application/json' });
      const accept = 'application/json;as=Table;g=meta.k8s.io;v=v1';
      await api.want(400, { path: `${path}?includeObject=Bad`, accept });
      await api.want(200, { path: `${path}?includeObject=Bad` });
    },
  },
  {
    name: 'kubectl cluster-info finds no services of the cluster',
    async run(api) {
      const selector = 'labelSelector=kubernetes.io%2Fcluster-service%3Dtrue';
      const path = `/api/v1/namespaces/kube-system/services?${selector}`;
      const { body } = await api.want(200, { path });
      assert.deepEqual([body.kind, body.items], ['ServiceList', []]);
    },
  },
];
