/** Nodes as the API server stores them, with many fields that the projection drops, in both encodings. */
import * as fc from 'fast-check';
import type { Field, Message } from '../codec/protobuf-bytes.fixture.ts';

export interface ApiNode {
  readonly metadata: {
    readonly name: string;
    readonly uid: string;
    readonly resourceVersion: string;
    readonly creationTimestamp: string;
    readonly deletionTimestamp?: string;
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly podCIDRs?: readonly string[];
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly {
      key: string;
      value?: string;
      effect: string;
      timeAdded?: string;
    }[];
  };
  readonly status: {
    readonly conditions?: readonly {
      type: string;
      status: string;
      lastHeartbeatTime: string;
      lastTransitionTime: string;
      reason?: string;
    }[];
    readonly addresses?: readonly { type: string; address: string }[];
    readonly nodeInfo?: {
      machineID: string;
      systemUUID?: string;
      bootID: string;
      kubeletVersion: string;
    };
    readonly images?: readonly { names: readonly string[]; sizeBytes: number }[];
  };
}

/** A typical node. A test replaces parts of it. */
export function anApiNode(
  changes: {
    readonly metadata?: Partial<ApiNode['metadata']>;
    readonly spec?: ApiNode['spec'];
    readonly status?: ApiNode['status'];
  } = {},
): ApiNode {
  return {
    metadata: {
      name: 'node-0',
      uid: '6f9b6f3c-58a4-4b2e-9a0c-0a6f5e3d2c1b',
      resourceVersion: '41',
      creationTimestamp: '2026-03-01T12:00:00Z',
      ...changes.metadata,
    },
    spec: changes.spec ?? {},
    status: changes.status ?? {},
  };
}

/** The protobuf message of a node, including fields that the reader skips and fields of later releases. */
export function nodeMessage(node: ApiNode): Message {
  const { metadata, spec, status } = node;
  return [
    [
      1,
      [
        [1, metadata.name],
        [2, ''],
        [3, ''],
        [4, ''],
        [5, metadata.uid],
        [6, metadata.resourceVersion],
        [7, 3],
        [8, time(metadata.creationTimestamp)],
        ...(metadata.deletionTimestamp === undefined
          ? []
          : [[9, time(metadata.deletionTimestamp)] as const]),
        ...pairs(11, metadata.labels),
        ...pairs(12, metadata.annotations),
        [17, [[1, 'kubelet'] as const, [7, 'x'.repeat(300)] as const]],
        [17, [[1, 'manager'] as const, [7, 'y'.repeat(300)] as const]],
        future,
      ],
    ],
    [
      2,
      [
        [1, spec.podCIDRs?.[0] ?? ''],
        [3, spec.providerID ?? ''],
        [4, spec.unschedulable ?? false],
        ...(spec.taints ?? []).map((taint): Field => [
          5,
          [
            [1, taint.key],
            [2, taint.value ?? ''],
            [3, taint.effect],
            ...(taint.timeAdded === undefined ? [] : [[4, time(taint.timeAdded)] as const]),
            future,
          ],
        ]),
        ...(spec.podCIDRs ?? []).map((cidr): Field => [7, cidr]),
        future,
      ],
    ],
    [
      3,
      [
        ...(status.conditions ?? []).map((condition): Field => [
          4,
          [
            [1, condition.type],
            [2, condition.status],
            [3, time(condition.lastHeartbeatTime)],
            [4, time(condition.lastTransitionTime)],
            [5, condition.reason ?? ''],
            [6, 'a message that the reader skips'],
            future,
          ],
        ]),
        ...(status.addresses ?? []).map(({ type, address }): Field => [
          5,
          [[1, type] as const, [2, address] as const, future],
        ]),
        ...(status.nodeInfo === undefined
          ? []
          : [
              [
                7,
                [
                  [1, status.nodeInfo.machineID],
                  [2, status.nodeInfo.systemUUID ?? ''],
                  [3, status.nodeInfo.bootID],
                  [7, status.nodeInfo.kubeletVersion],
                  future,
                ],
              ] as const,
            ]),
        ...(status.images ?? []).map(({ names, sizeBytes }): Field => [
          8,
          [...names.map((name): Field => [1, name]), [2, sizeBytes]],
        ]),
        future,
      ],
    ],
    future,
  ];
}

const future: Field = [1_000, [[1, 'a field of a later release']]];

function time(text: string): Message {
  return [[1, Math.floor(Date.parse(text) / 1000)], [2, 0] as const];
}

function pairs(number: number, record: Readonly<Record<string, string>> = {}): Field[] {
  return Object.entries(record).map(([key, value]) => [
    number,
    [[1, key] as const, [2, value] as const],
  ]);
}

const texts = fc.string({ maxLength: 70, unit: 'grapheme' });
const times = fc
  .date({ min: new Date(0), max: new Date('2100-01-01'), noInvalidDate: true })
  .map((date) => `${date.toISOString().slice(0, 19)}Z`);
const keys = fc.oneof(
  fc.constantFrom(
    'kubernetes.io/hostname',
    'tandem.dev/node-ip',
    'tandem.dev/paused',
    'alpha.kubernetes.io/provided-node-ip',
    'constructor',
  ),
  fc.string({ minLength: 1, maxLength: 80 }).filter((key) => key !== '__proto__'),
);
const records = fc.dictionary(keys, texts, { maxKeys: 6, noNullPrototype: true });
const list = <T>(entry: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(entry, { maxLength: 4 });

/** Any node that the API server could store, and many that it would reject. */
export const apiNodes: fc.Arbitrary<ApiNode> = fc.record({
  metadata: fc.record(
    {
      name: fc.string({ minLength: 1, maxLength: 80 }),
      uid: fc.uuid(),
      resourceVersion: fc.bigInt({ min: 1n, max: 2n ** 63n }).map(String),
      creationTimestamp: times,
      deletionTimestamp: times,
      labels: records,
      annotations: records,
    },
    { requiredKeys: ['name', 'uid', 'resourceVersion', 'creationTimestamp'] },
  ),
  spec: fc.record(
    {
      podCIDRs: list(texts),
      providerID: texts,
      unschedulable: fc.boolean(),
      taints: list(
        fc.record(
          { key: texts, value: texts, effect: texts, timeAdded: times },
          { requiredKeys: ['key', 'effect'] },
        ),
      ),
    },
    { requiredKeys: [] },
  ),
  status: fc.record(
    {
      // The API server stores one condition per type.
      conditions: fc.array(
        fc.record(
          {
            type: fc.constantFrom('Ready', 'MemoryPressure', 'NetworkUnavailable'),
            status: fc.constantFrom('True', 'False', 'Unknown'),
            lastHeartbeatTime: times,
            lastTransitionTime: times,
            reason: fc.constantFrom('KubeletReady', 'RouteCreated', 'CalicoIsUp'),
          },
          { requiredKeys: ['type', 'status', 'lastHeartbeatTime', 'lastTransitionTime'] },
        ),
        { maxLength: 3 },
      ),
      addresses: list(fc.record({ type: texts, address: texts })),
      nodeInfo: fc.record({
        machineID: texts,
        systemUUID: texts,
        bootID: texts,
        kubeletVersion: texts,
      }),
      images: list(fc.record({ names: list(texts), sizeBytes: fc.nat() })),
    },
    { requiredKeys: [] },
  ),
});
