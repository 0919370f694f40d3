import assert from 'node:assert/strict';
import { createAgents } from './agents.ts';

describe('the proxy of calls to a cloud', () => {
  const refused = [
    'http://user:secret@[proxy',
    'http://user:50%secret@proxy',
    'socks5://user:secret@proxy:1080',
    'http://',
  ];
  for (const url of refused) {
    for (const name of ['HTTPS_PROXY', 'http_proxy']) {
      it(`is refused with the variable’s name and without the password: ${name}=${url}`, () =>
        assert.throws(() => createAgents({ [name]: url }), {
          message: `${name} is not the URL of an http or https proxy, such as http://proxy.example.com:3128`,
        }));
    }
  }

  for (const url of ['', 'proxy:3128', 'user:secret@proxy', 'http://proxy', 'https://proxy:1']) {
    it(`is accepted as ${JSON.stringify(url)}`, () => void createAgents({ HTTPS_PROXY: url }));
  }
});
