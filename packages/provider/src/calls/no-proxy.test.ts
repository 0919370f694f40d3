import assert from 'node:assert/strict';
import { nodeNoProxy } from './no-proxy.ts';

describe('NO_PROXY', () => {
  const cases = [
    { text: 'amazonaws.com', want: 'amazonaws.com,*.amazonaws.com' },
    { text: ' a.example , b', want: 'a.example,*.a.example,b,*.b' },
    { text: '.example.com,*.example.org,*', want: '.example.com,*.example.org,*' },
    { text: '10.1.2.3/8', want: '10.0.0.0-10.255.255.255' },
    { text: '192.0.2.7/32', want: '192.0.2.7-192.0.2.7' },
    { text: '0.0.0.0/0', want: '0.0.0.0-255.255.255.255' },
    { text: '10.0.0.1-10.0.0.9', want: '10.0.0.1-10.0.0.9,*.10.0.0.1-10.0.0.9' },
    { text: 'fd00::/8,10.0.0.0/33,10.0.0.0/', want: '' },
    { text: ',,', want: '' },
  ];
  for (const { text, want } of cases) {
    it(`has for Node.js the meaning that it has for Go: ${JSON.stringify(text)}`, () =>
      assert.equal(nodeNoProxy(text), want));
  }
});
