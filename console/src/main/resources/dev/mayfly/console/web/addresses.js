/* Addresses for drivers and SDKs: host as the browser reached the server, ports of the server. */

const SCHEME = 'https' + '://';
const HERE = ['localhost', '127.0.0.1', '[::1]'];

/** Whether a MongoDB client at this browser's machine must log in. */
export function needsLogin(door) {
  return door.login === 'always' || (door.login === 'remote' && !HERE.includes(location.hostname));
}

/** Connection string of the MongoDB door, with placeholders for user and password. */
export function mongoUri(door) {
  const login = needsLogin(door) ? 'USER:PASSWORD@' : '';
  const tls = door.tls ? '&tls=true' : '';
  return `mongodb://${login}${location.hostname}:${door.port}/?directConnection=true${tls}`;
}

/** Endpoint of the Cosmos door. */
export function endpoint(door) {
  return `${SCHEME}${location.hostname}:${door.port}/`;
}
