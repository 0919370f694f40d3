import assert from 'node:assert/strict';
import { CcmError } from '@tandem/runtime';
import { ApiError, type Call, type KubeClient } from '../client/index.ts';
import { addressPatch } from '../node/address-patch.ts';
import { applyPatch } from './apply-patch.ts';

const addresses = [{ type: 'InternalIP', address: '10.0.0.1' }];
const patch = addressPatch({ name: 'node-0', uid: 'uid-0', seen: [], addresses });

const node = (over: { uid?: string; list?: unknown } = {}) => ({
  metadata: { uid: over.uid ?? 'uid-0', resourceVersion: '7' },
  status: { addresses: over.list ?? addresses },
});

const cause = { reason: 'FieldValueDuplicate', message: 'Duplicate', field: 'status.addresses[1]' };

function refusal(code: number, over: Partial<ApiError['status']> = {}): ApiError {
  const effect = code >= 500 ? 'unknown' : 'none';
  const status = {
    code,
    reason: 'Invalid',
    message: 'no',
    causes: [],
    retryAfterSeconds: undefined,
  };
  return new ApiError('no', {
    code: 'Api',
    retry: code === 429 || code >= 500 ? 'backoff' : 'never',
    effect,
    status: { ...status, ...over },
  });
}

const lost = new CcmError('reset', { code: 'Reset', retry: 'backoff', effect: 'unknown' });
const unreached = new CcmError('refused', { code: 'Refused', retry: 'backoff', effect: 'none' });

/** A client that returns these answers in order, and records its calls. */
function scripted(...answers: readonly unknown[]): { client: KubeClient; calls: Call[] } {
  const calls: Call[] = [];
  const client: KubeClient = {
    async call(call) {
      const answer = answers[calls.length];
      calls.push(call);
      if (answer instanceof Error) throw answer;
      assert.notEqual(answer, undefined, `unexpected ${call.verb}, call number ${calls.length}`);
      return { status: 200, headers: {}, body: new TextEncoder().encode(JSON.stringify(answer)) };
    },
    open: () => assert.fail('opened a stream'),
  };
  return { client, calls };
}

describe('applying a guarded patch', () => {
  const answers = [
    {
      name: 'a successful answer is applied, with its resourceVersion',
      answer: node(),
      want: 'applied',
    },
    { name: '422 without causes is a failed guard', answer: refusal(422), want: 'guardFailed' },
    {
      name: '422 with causes is a refused write',
      answer: refusal(422, { causes: [cause] }),
      want: 'refused',
    },
    {
      name: '422 for a duplicate taint is a failed guard',
      answer: refusal(422, { causes: [{ ...cause, field: 'metadata.taints[1]' }] }),
      want: 'guardFailed',
    },
    {
      name: '422 for a duplicate taint and another fault is a refused write',
      answer: refusal(422, { causes: [{ ...cause, field: 'metadata.taints[1]' }, cause] }),
      want: 'refused',
    },
    {
      name: '422 of a webhook is a denial',
      answer: refusal(422, { reason: 'Policy' }),
      want: 'denied',
    },
    {
      name: '409 is a failed guard',
      answer: refusal(409, { reason: 'Conflict' }),
      want: 'guardFailed',
    },
    { name: '400 is a denial', answer: refusal(400, { reason: 'BadRequest' }), want: 'denied' },
    { name: '403 is a denial', answer: refusal(403, { reason: 'Forbidden' }), want: 'denied' },
    { name: '404 is gone', answer: refusal(404, { reason: 'NotFound' }), want: 'gone' },
  ];
  for (const { name, answer, want } of answers) {
    it(`returns the outcome: ${name}`, async () => {
      const { client, calls } = scripted(answer);
      const outcome = await applyPatch(patch, { client });
      assert.equal(outcome.kind, want);
      if (outcome.kind === 'applied') assert.equal(outcome.resourceVersion, '7');
      if ('err' in outcome) assert.equal(outcome.err, answer);
      assert.equal(calls.length, 1);
    });
  }

  for (const err of [refusal(401), refusal(429), unreached, new Error('stopped')]) {
    it(`rethrows a failure that says nothing about the patch: ${err.message}, ${err.name}`, async () => {
      const { client } = scripted(err);
      await assert.rejects(applyPatch(patch, { client }), (thrown) => thrown === err);
    });
  }

  it('sends a JSON patch and requests only metadata in the answer', async () => {
    const { client, calls } = scripted(node());
    const { signal } = new AbortController();
    await applyPatch(patch, { client, signal, limitMs: 5_000 });
    const [call] = calls;
    assert.equal(call?.contentType, 'application/json-patch+json');
    const wanted =
      /^application\/vnd\.kubernetes\.protobuf;as=PartialObjectMetadata.*,application\/json$/;
    assert.match(call?.accept ?? '', wanted);
    assert.deepEqual([call?.limitMs, call?.signal], [5_000, signal]);
  });
});

describe('a patch whose answer was lost', () => {
  it('is applied if the object shows the write', async () => {
    const { client, calls } = scripted(lost, node());
    const outcome = await applyPatch(patch, { client });
    assert.deepEqual(outcome, { kind: 'applied', resourceVersion: '7' });
    assert.deepEqual(calls[1]?.resource, {
      group: '',
      version: 'v1',
      resource: 'nodes',
      name: 'node-0',
    });
  });

  it('is sent again if the object does not show the write', async () => {
    const { client, calls } = scripted(refusal(500), node({ list: [] }), node());
    assert.equal((await applyPatch(patch, { client })).kind, 'applied');
    assert.deepEqual(calls[2]?.body, calls[0]?.body);
  });

  it('fails its guard if a namesake has replaced the object', async () => {
    const { client } = scripted(lost, node({ uid: 'uid-1' }), refusal(422));
    assert.equal((await applyPatch(patch, { client })).kind, 'guardFailed');
  });

  it('is gone if the object no longer exists', async () => {
    const { client } = scripted(lost, refusal(404));
    assert.deepEqual(await applyPatch(patch, { client }), { kind: 'gone' });
  });

  it('stays unknown after three sends without an answer, if no read shows the write', async () => {
    const { client, calls } = scripted(lost, unreached, lost, node({ list: [] }), lost, 'no node');
    const outcome = await applyPatch(patch, { client });
    assert.deepEqual(outcome, { kind: 'unknown', err: lost });
    assert.deepEqual(
      calls.map(({ verb }) => verb),
      ['patch', 'get', 'patch', 'get', 'patch', 'get'],
    );
  });

  const laterAnswers = [
    { name: 'is refused', answer: refusal(422, { causes: [cause] }) },
    { name: 'is denied', answer: refusal(403, { reason: 'Forbidden' }) },
    { name: 'never reaches the server', answer: unreached },
  ];
  for (const { name, answer } of laterAnswers) {
    it(`stays unknown if the next try ${name}, because the first may still be stored`, async () => {
      const { client } = scripted(lost, node({ list: [] }), answer);
      assert.deepEqual(await applyPatch(patch, { client }), { kind: 'unknown', err: lost });
    });
  }

  it('rejects with the reason of the signal when the caller aborts', async () => {
    const abort = new AbortController();
    const reason = new Error('stopped');
    abort.abort(reason);
    const { client } = scripted(lost, reason);
    await assert.rejects(applyPatch(patch, { client, signal: abort.signal }), reason);
  });
});
