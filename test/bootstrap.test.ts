import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { expect, test } from 'vitest';

test('the front end is built again where what it is made of is another, whatever the dates of its files, and only then', () => {
  const root = mkdtempSync(join(tmpdir(), 'mergelight-checkout-'));
  try {
    const long_ago = new Date('2020-01-01T00:00:00Z');
    const put = (name: string, text: string) => {
      mkdirSync(dirname(join(root, name)), { recursive: true });
      writeFileSync(join(root, name), text);
      utimesSync(join(root, name), long_ago, long_ago);
    };
    const vite = `import { mkdirSync, writeFileSync } from 'node:fs';
      mkdirSync('dist/web', { recursive: true }); writeFileSync('dist/web/index.html', '');`;
    put('package.json', '{ "type": "module" }');
    put('node_modules/vite/bin/vite.js', vite);
    for (const name of ['src/web/main.tsx', 'src/domain/facts.ts', 'src/contract/team.ts']) put(name, 'as it was');
    for (const name of ['vite.config.ts', 'package-lock.json']) put(name, 'as it was');
    cpSync(resolve('scripts/bootstrap.js'), join(root, 'scripts/bootstrap.js'));
    const isBuilt = () => {
      const program = "const { ensureBuilt } = await import('./scripts/bootstrap.js'); ensureBuilt();";
      const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
        cwd: root,
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([0, '']);
      return stderr.includes('Building the front end');
    };

    expect([isBuilt(), isBuilt()]).toEqual([true, false]);
    put('src/domain/facts.ts', 'as the next version has it');
    expect([isBuilt(), isBuilt()]).toEqual([true, false]);
    put('src/domain/facts.ts', 'as it was');
    put('dist/web/index.html', 'by another command, of something else');
    utimesSync(join(root, 'dist/web/index.html'), new Date(), new Date(Date.now() + 60_000));
    expect(isBuilt()).toBe(true);
  } finally {
    rmSync(root, { recursive: true });
  }
});

test('packages are installed without a word on standard output, which is the command’s own', () => {
  const root = mkdtempSync(join(tmpdir(), 'mergelight-checkout-'));
  try {
    mkdirSync(join(root, 'scripts'));
    cpSync(resolve('scripts/bootstrap.js'), join(root, 'scripts/bootstrap.js'));
    writeFileSync(join(root, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(root, 'npm.js'), "console.log('added 1 package')");
    const program = "const { ensureInstalled } = await import('./scripts/bootstrap.js'); ensureInstalled();";
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(root, 'npm.js') },
    });

    expect([status, stdout]).toEqual([0, '']);
    expect(stderr).toBe('Installing packages …\nadded 1 package\n');
  } finally {
    rmSync(root, { recursive: true });
  }
});
