import assert from 'node:assert/strict';
import { bearerTokenIn } from './authenticator.ts';
import { headerLines } from './raw-headers.ts';
import { type HeaderNames, identityIn } from './request-header.ts';

const names: HeaderNames = {
  usernameHeaders: ['X-Remote-User', 'X-Other-User'],
  groupHeaders: ['X-Remote-Group'],
  uidHeaders: ['X-Remote-Uid'],
  extraHeaderPrefixes: ['X-Remote-Extra-', ''],
};

const nobody = { kind: 'nobody' } as const;

function read(...raw: string[]) {
  return identityIn(headerLines(raw), names);
}

describe('the headers of a proxy', () => {
  it('name a user, one group in each line, a UID and extra attributes', () => {
    const raw = [
      ['x-remote-user', 'ann'],
      ['X-REMOTE-GROUP', 'a, b'],
      ['X-Remote-Group', ''],
      ['X-Remote-Group', 'c'],
      ['X-Remote-Uid', '7'],
      ['X-Remote-Extra-Acme.com%2Fproject', 'one'],
      ['x-remote-extra-acme.com%2fproject', 'two'],
      ['X-Remote-Extra-50%', 'odd'],
    ];
    const answer = read(...raw.flat());
    assert.deepEqual(answer, {
      kind: 'told',
      identity: {
        name: 'ann',
        uid: '7',
        groups: ['a, b', 'c'],
        extra: { 'acme.com/project': ['one', 'two'], '50%': ['odd'] },
      },
    });
  });

  it('are searched in the order of the settings, and the first line with a value counts', () => {
    const answer = read('X-Other-User', 'other', 'X-Remote-User', 'ann', 'X-Remote-User', 'bob');
    assert.equal(answer.kind === 'told' && answer.identity.name, 'ann');
    const fallback = read('X-Remote-User', '', 'X-Other-User', 'other');
    assert.equal(fallback.kind === 'told' && fallback.identity.name, 'other');
  });

  it('name no identity without a user', () => {
    assert.deepEqual(read(), nobody);
    assert.deepEqual(read('X-Remote-Group', 'system:masters'), nobody);
    assert.deepEqual(read('X-Remote-Users', 'ann'), nobody);
  });

  it('are read as UTF-8, and are unreadable otherwise', () => {
    const latin1 = Buffer.from('Zoë', 'utf8').toString('latin1');
    const answer = read('X-Remote-User', latin1);
    assert.equal(answer.kind === 'told' && answer.identity.name, 'Zoë');
    assert.equal(read('X-Remote-User', 'ann', 'X-Remote-Group', '\xff').kind, 'unreadable');
    assert.equal(read('X-Remote-User', 'ann', 'X-Elsewhere', '\xff').kind, 'told');
  });

  it('cannot change the prototype of the extra attributes', () => {
    const answer = read('X-Remote-User', 'ann', 'X-Remote-Extra-__proto__', 'x');
    assert.ok(answer.kind === 'told');
    assert.deepEqual(Object.keys(answer.identity.extra), ['__proto__']);
  });
});

describe('a bearer token', () => {
  const cases: readonly [string[], object][] = [
    [[], { kind: 'none' }],
    [['Authorization', 'Bearer abc'], { kind: 'token', token: 'abc' }],
    [['authorization', '  bearer abc  '], { kind: 'token', token: 'abc' }],
    [['AUTHORIZATION', 'BEARER abc def'], { kind: 'token', token: 'abc' }],
    [['Authorization', ''], { kind: 'none' }],
    [['Authorization', 'Bearer'], { kind: 'none' }],
    [['Authorization', 'Bearer  abc'], { kind: 'none' }],
    [['Authorization', 'Basic YTpi'], { kind: 'none' }],
    [['Proxy-Authorization', 'Bearer abc'], { kind: 'none' }],
    [['Authorization', 'Bearer a', 'authorization', 'Bearer a'], { kind: 'ambiguous' }],
    [['Authorization', 'Bearer \xff'], { kind: 'ambiguous' }],
  ];
  for (const [raw, want] of cases) {
    it(`in ${JSON.stringify(raw)} is ${JSON.stringify(want)}`, () => {
      assert.deepEqual(bearerTokenIn(headerLines(raw)), want);
    });
  }
});
