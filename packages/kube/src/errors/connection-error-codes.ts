/** Of connections to the API server. */
import type { ErrorNote } from './error-codes.ts';

export const connectionErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ConnectionFailed: {
    meaning: 'Tandem cannot connect to the API server.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Check that the API server is running and that this machine can reach its address.',
  },
  ConnectionLost: {
    meaning:
      'The connection broke after Tandem sent a request. A write may or may not have been applied, so the manager reads it back. If the response had already confirmed the write, the write was applied.',
    retry: ['backoff'],
    effect: ['none', 'unknown', 'applied'],
    remedy:
      'Nothing, if the API server restarted. If it happens often, check the network and any load balancers that close connections.',
  },
  RequestNotSent: {
    meaning: 'A request was cancelled while it was waiting for a connection or for credentials.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'If it happens often, connecting takes too long. Check the network and exec plugins.',
  },
  RequestMalformed: {
    meaning: 'A request is not valid HTTP: a header or the path contains a forbidden character.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Check the token and the impersonation fields in the kubeconfig for unusual characters.',
  },
  ServerWithoutTls: {
    meaning: 'The server at the address of the API server does not speak TLS.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the port of the server address in the kubeconfig.',
  },
  ServerNotTrusted: {
    meaning:
      'The certificate of the API server is not trusted, has expired, or names another host.',
    retry: ['never'],
    effect: ['none'],
    remedy:
      'Check that the server address and the certificate authority belong to the same cluster, and when the certificate expires.',
  },
  AnswerNotHttp: {
    meaning: 'The response of the API server was not HTTP.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy: 'Check the port of the server address in the kubeconfig.',
  },
  TransportClosed: {
    meaning: 'The program is stopping and has closed its connections.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Nothing.',
  },
};
