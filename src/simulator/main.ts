import { hostOfCommandLine, USAGE } from './command-line.ts';

function fail(message: string): never {
  process.stderr.write(`${message}\n`);
  process.exit(2);
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

function ofCommandLine() {
  try {
    return hostOfCommandLine(process.argv.slice(2));
  } catch (error) {
    return fail(messageOf(error));
  }
}

const described = ofCommandLine();
if (described === null) {
  process.stdout.write(`${USAGE}\n`);
  process.exit(0);
}
const { host, port, buildWorld, with_parent } = described;

const end = () => {
  host.close().then(
    () => process.exit(0),
    () => process.exit(1),
  );
};
process.once('SIGTERM', end);
process.once('SIGINT', end);
if (with_parent) {
  process.stdin.resume();
  process.stdin.once('end', end);
  process.stdin.once('error', end);
}

try {
  const url = await host.listen(port);
  process.stdout.write(`${JSON.stringify({ url })}\n`);
  setTimeout(buildWorld, 20);
  await host.ready;
} catch (error) {
  fail(`The simulated host can't start: ${messageOf(error)}`);
}
