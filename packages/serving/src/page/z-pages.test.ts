import assert from 'node:assert/strict';
import { parse } from 'yaml';
import { formFor } from './negotiate.ts';
import { flagzReply, statuszReply } from './z-pages.ts';

const exact = 'application/json;as=Statusz;v=v1beta1;g=config.k8s.io';

describe('the format of a z-page', () => {
  const cases: readonly [string | undefined, string | undefined][] = [
    [undefined, 'text'],
    ['', 'text'],
    [' ', 'text'],
    ['*/*', 'text'],
    ['text/plain', 'text'],
    ['text/*', 'text'],
    ['TEXT/PLAIN; charset=utf-8', 'text'],
    ['text/html, */*;q=0.1', 'text'],
    [exact, 'json'],
    [exact.replaceAll(';', ' ; '), 'json'],
    [exact.replace('json', 'yaml'), 'yaml'],
    [`${exact};q=0.5, text/plain`, 'text'],
    [`text/plain;q=0.5, ${exact}`, 'json'],
    [`application/json, ${exact}`, 'json'],
    ['application/json', undefined],
    ['application/*', undefined],
    ['application/yaml', undefined],
    ['text/html', undefined],
    ['text/plain;q=0', undefined],
    ['text/plain;q=x', undefined],
    [`text/plain;as=Statusz;v=v1beta1;g=config.k8s.io`, undefined],
    [exact.replace('v1beta1', 'v1'), undefined],
    [exact.replace('v1beta1', 'v1alpha1'), undefined],
    [exact.replace('Statusz', 'Flagz'), undefined],
    [exact.replace(';g=config.k8s.io', ''), undefined],
    [exact.replace('config.k8s.io', 'other.io'), undefined],
    ['application/vnd.kubernetes.protobuf;as=Statusz;v=v1beta1;g=config.k8s.io', undefined],
    [',;=,', undefined],
  ];
  for (const [accept, want] of cases) {
    it(`for ${JSON.stringify(accept)} is ${want ?? 'none'}`, () => {
      assert.equal(formFor(accept, 'Statusz'), want);
    });
  }
});

describe('z-pages', () => {
  const facts = {
    startedMs: Date.UTC(2026, 0, 2, 3, 4, 5, 678),
    uptimeMs: 3_723_999,
    binaryVersion: '1.2.3',
    runtimeVersion: 'v24.0.0',
    emulationVersion: '1.36',
    leader: 'a_1 (this manager)',
    nodes: new Map([
      ['initialised', 40],
      ['refused: NoAddressOfFamily', 2],
    ]),
    sections: [],
  };

  const sections = [
    {
      title: 'Pod CIDR pools',
      rows: [
        { pool: 'edge', range: '10.1.0.0/24', capacity: 1, free: 0 },
        { pool: 'cluster-cidr', range: 'fd00::/48', capacity: 65536, free: 9 },
      ],
      notes: ['Nodes that no pool selects: 2.'],
    },
    { title: 'Routes', rows: [], notes: [] },
  ];

  it('show version, uptime, leader, nodes and paths as text', async () => {
    const { status, contentType, body } = await statuszReply(undefined, facts, [
      '/livez',
      '/metrics',
    ]);
    assert.deepEqual([status, contentType], [200, 'text/plain; charset=utf-8']);
    assert.deepEqual(body.split('\n').slice(4), [
      'Started: 2026-01-02T03:04:05Z',
      'Up: 1 hr 02 min 03 sec',
      'Node.js version: v24.0.0',
      'Binary version: 1.2.3',
      'Emulation version: 1.36',
      'Leader: a_1 (this manager)',
      'Nodes: 42 (initialised 40, refused: NoAddressOfFamily 2)',
      'Paths: /livez /metrics',
      '',
    ]);
    assert.match(body, /^\ncloud-controller-manager statusz\nWarning: /);
  });

  it('show in text whether the cluster is empty or not yet known', async () => {
    const nodesLine = async (nodes: ReadonlyMap<string, number> | undefined) => {
      const { body } = await statuszReply(undefined, { ...facts, nodes }, []);
      return body.split('\n').find((line) => line.startsWith('Nodes'));
    };
    assert.equal(await nodesLine(new Map()), 'Nodes: 0');
    assert.equal(
      await nodesLine(undefined),
      'Nodes: unknown, the list of nodes has not been read yet',
    );
  });

  it('show the sections of controllers as text', async () => {
    const { body } = await statuszReply('text/plain', { ...facts, sections }, ['/livez']);
    assert.deepEqual(body.split('\n').slice(11), [
      'Paths: /livez',
      '',
      'Pod CIDR pools:',
      '  POOL          RANGE        CAPACITY  FREE',
      '  edge          10.1.0.0/24         1     0',
      '  cluster-cidr  fd00::/48       65536     9',
      '  Nodes that no pool selects: 2.',
      '',
      'Routes:',
      '  nothing to show',
      '',
    ]);
  });

  it('return data in the schema of config.k8s.io to programs', async () => {
    const { contentType, body } = await statuszReply(exact, { ...facts, sections }, ['/livez']);
    assert.equal(contentType, 'application/json;g=config.k8s.io;v=v1beta1;as=Statusz');
    const want = {
      kind: 'Statusz',
      apiVersion: 'config.k8s.io/v1beta1',
      metadata: { name: 'cloud-controller-manager' },
      startTime: '2026-01-02T03:04:05Z',
      uptimeSeconds: 3_723,
      goVersion: 'nodejs v24.0.0',
      binaryVersion: '1.2.3',
      emulationVersion: '1.36',
      paths: ['/livez'],
    };
    assert.deepEqual(JSON.parse(body), want);
    const yaml = await statuszReply(exact.replace('json', 'yaml'), facts, ['/livez']);
    assert.equal(yaml.contentType, 'application/yaml;g=config.k8s.io;v=v1beta1;as=Statusz');
    assert.match(yaml.body, /^startTime: "2026-01-02T03:04:05Z"$/m);
    assert.deepEqual(parse(yaml.body), want);
  });

  it('list flags in order, as text and as data', async () => {
    const flags = new Map([
      ['v', '2'],
      ['bind-address', '::'],
    ]);
    const text = await flagzReply('text/plain', flags);
    assert.deepEqual(text.body.split('\n').slice(4), ['bind-address=::', 'v=2', '']);
    const data = await flagzReply(exact.replace('Statusz', 'Flagz'), flags);
    assert.deepEqual(JSON.parse(data.body).flags, { 'bind-address': '::', v: '2' });
    assert.equal(JSON.parse(data.body).kind, 'Flagz');
  });

  it('are 406 with the supported formats when the client accepts none of them', async () => {
    const { status, body } = await flagzReply('application/json', new Map());
    assert.equal(status, 406);
    assert.match(JSON.parse(body).message, /text\/plain, application\/json;as=Flagz;v=v1beta1/);
  });
});
