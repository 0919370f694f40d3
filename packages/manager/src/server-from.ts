/** Where the address of the API server comes from, for error messages. */
export function serverFrom(given: {
  readonly master?: string | undefined;
  readonly kubeconfig: string | undefined;
}): string {
  const { master, kubeconfig } = given;
  const places = [
    ...(master === undefined ? [] : ['--master']),
    ...(kubeconfig === undefined ? [] : [`the kubeconfig ${kubeconfig}`]),
  ];
  return places.length === 0 ? 'the environment of this pod' : places.join(' and ');
}
