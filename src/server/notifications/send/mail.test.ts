import { afterEach, expect, test } from 'vitest';
import { type MailReceiver, startMailReceiver } from '../../../../test/support/receivers.ts';
import { sendMail } from './mail.ts';

let receiver: MailReceiver | null = null;
afterEach(async () => {
  await receiver?.stop();
  receiver = null;
});

const refused = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code });
const aMail = { to: 'ada@else.example', subject: 'Mergelight: 2 waiting for you', text: 'Hello' };

test('a mail arrives whole, from the sender, to one address, in text and HTML', async () => {
  receiver = await startMailReceiver();
  const outcome = await sendMail(receiver.settings, {
    ...aMail,
    html: '<p>Hello</p>',
    message_id: '<one@mail.test>',
    headers: { 'X-Mergelight-Delivery': 'one' },
  });

  expect(outcome).toEqual({ state: 'sent', status: '250', message: expect.any(String), retryAfter: null, gone: false });
  const [mail] = receiver.mails;
  expect(mail).toMatchObject({ from: 'mergelight@mail.test', to: ['ada@else.example'] });
  for (const header of [
    'From: Mergelight <mergelight@mail.test>',
    'To: ada@else.example',
    'Subject: Mergelight: 2 waiting for you',
    'Message-ID: <one@mail.test>',
    'Auto-Submitted: auto-generated',
    'X-Mergelight-Delivery: one',
  ])
    expect(mail!.raw).toContain(`${header}\r\n`);
  expect(mail!.raw).toMatch(/multipart\/alternative/);
});

test('no header and no recipient comes out of an address or a subject', async () => {
  receiver = await startMailReceiver();
  await sendMail(receiver.settings, {
    ...aMail,
    to: 'ada@else.example, eve@else.example',
    subject: 'One\r\nBcc: eve@else.example',
  });

  const [mail] = receiver.mails;
  expect(mail?.to.includes('eve@else.example') ?? false).toBe(false);
  expect(mail?.raw ?? '').not.toMatch(/^Bcc:/m);
});

test('a sender’s name may have a comma', async () => {
  receiver = await startMailReceiver();
  const from = 'Reviews, Inc. <reviews@mail.test>';
  expect(await sendMail({ ...receiver.settings, from }, aMail)).toMatchObject({ state: 'sent' });
  expect(receiver.mails[0]).toMatchObject({ from: 'reviews@mail.test' });
  expect(receiver.mails[0]!.raw).toContain('From: "Reviews, Inc." <reviews@mail.test>\r\n');
});

test('where TLS is optional a certificate that nobody signed is better than none', async () => {
  receiver = await startMailReceiver({ hideSTARTTLS: false });
  expect(await sendMail(receiver.settings, aMail)).toMatchObject({ state: 'sent' });
  expect(receiver.mails[0]).toMatchObject({ secure: true });
});

test.each([
  [450, 'retry'],
  [421, 'retry'],
  [550, 'final'],
  [552, 'final'],
] as const)('a recipient that is refused with %i is %s', async (code, state) => {
  receiver = await startMailReceiver({ onRcptTo: (_address, _session, done) => done(refused(code, 'not\u202e here')) });

  expect(await sendMail(receiver.settings, aMail)).toEqual({
    ...{ state, status: String(code), message: expect.stringMatching(/not here$/) },
    ...{ retryAfter: null, gone: false },
  });
});

test('an answer to the whole mail decides, by its code', async () => {
  for (const [code, state] of [
    [451, 'retry'],
    [554, 'final'],
  ] as const) {
    receiver = await startMailReceiver({
      onData(stream, _session, done) {
        stream.resume().on('end', () => done(refused(code, 'no')));
      },
    });
    expect(await sendMail(receiver.settings, aMail)).toMatchObject({ state, status: String(code) });
    await receiver.stop();
  }
});

test('what breaks before the whole mail was sent may be sent again, what breaks after it may have arrived', async () => {
  receiver = await startMailReceiver({ onRcptTo: () => receiver?.cut() });
  expect(await sendMail(receiver.settings, aMail)).toMatchObject({ state: 'retry', status: null });
  await receiver.stop();

  receiver = await startMailReceiver({
    onData(stream) {
      stream.resume().on('end', () => receiver?.cut());
    },
  });
  expect(await sendMail(receiver.settings, aMail)).toMatchObject({ state: 'unknown', status: null });
});

test('nobody there, no such name and a certificate that is not trusted may be sent again', async () => {
  receiver = await startMailReceiver({ hideSTARTTLS: false });
  const { settings } = receiver;
  expect(await sendMail({ ...settings, port: 1 }, aMail)).toMatchObject({ state: 'retry', status: null });
  expect(await sendMail({ ...settings, host: 'nowhere.invalid' }, aMail)).toMatchObject({
    state: 'retry',
    status: null,
  });
  expect(await sendMail({ ...settings, require_tls: true }, aMail)).toMatchObject({ state: 'retry', status: null });
  expect(receiver.mails).toEqual([]);
});

test('where TLS is required nothing is told to a server without it', async () => {
  const told: string[] = [];
  receiver = await startMailReceiver({
    onMailFrom(_address, _session, done) {
      told.push('from');
      done();
    },
    onAuth(_auth, _session, done) {
      told.push('password');
      done(null, { user: 'x' });
    },
    allowInsecureAuth: true,
  });
  const withPassword = { ...receiver.settings, user: 'x', password: 'secret' };
  expect(await sendMail({ ...withPassword, require_tls: true }, aMail)).toMatchObject({ state: 'retry' });
  expect(told).toEqual([]);
  expect(await sendMail(withPassword, aMail)).toMatchObject({ state: 'sent' });
  expect(told).toEqual(['password', 'from']);
});

test('a password that is not taken is final and is not repeated', async () => {
  receiver = await startMailReceiver({
    allowInsecureAuth: true,
    onAuth: (_auth, _session, done) => done(refused(535, 'no')),
  });
  const outcome = await sendMail({ ...receiver.settings, user: 'x', password: 'planted' }, aMail);
  expect(outcome).toMatchObject({ state: 'final', status: '535' });
  expect(JSON.stringify(outcome)).not.toContain('planted');
});
