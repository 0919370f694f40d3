/** Of connections to the API server. */
import type { ErrorNote } from './error-note.ts';

export const connectionErrorCodes: Readonly<Record<string, ErrorNote>> = {
  ConnectionFailed: {
    meaning: 'No connection to the API server could be made.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'Check that the address can be reached from here and that the API server runs.',
  },
  ConnectionLost: {
    meaning:
      'A connection broke after a request had been written to it. A write may or may not have been done, and is read back; after a head that said yes it was done.',
    retry: ['backoff'],
    effect: ['none', 'unknown', 'applied'],
    remedy:
      'Nothing, when it comes with restarts. When it comes often: look at the network, and at load balancers that cut connections.',
  },
  RequestNotSent: {
    meaning: 'A request was given up while it still waited for a connection or for credentials.',
    retry: ['backoff'],
    effect: ['none'],
    remedy: 'When it comes often: connecting takes long. Look at the network and at exec plug-ins.',
  },
  RequestMalformed: {
    meaning: 'A request cannot be written as HTTP: a header or the path has a forbidden character.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the token and the impersonation fields of the kubeconfig for odd characters.',
  },
  ServerWithoutTls: {
    meaning: 'What listens at the address of the API server does not speak TLS.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the port in the server address of the kubeconfig.',
  },
  ServerNotTrusted: {
    meaning: 'The certificate of the API server is not signed by an authority that is trusted.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Check the server address and the certificate authority: is this the right cluster?',
  },
  AnswerNotHttp: {
    meaning: 'The answer of the API server was not HTTP.',
    retry: ['never'],
    effect: ['none', 'unknown'],
    remedy: 'Check the port in the server address of the kubeconfig.',
  },
  TransportClosed: {
    meaning: 'A request was made after the connections had been closed: the program ends.',
    retry: ['never'],
    effect: ['none'],
    remedy: 'Nothing.',
  },
};
