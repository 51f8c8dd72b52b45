// A model server that answers at once, in a process of its own. Prints its address. `x-bench-stream: count,pauseMs` asks for a stream of so many chunks.
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const ANSWER = JSON.stringify({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'Well done.' }, finish_reason: 'stop' }],
});
const CHUNK = `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', choices: [{ index: 0, delta: { content: 'word ' } }] })}\n\n`;
const DONE = 'data: [DONE]\n\n';

const server = http.createServer((request, response) => {
  request.resume().on('end', () => {
    const [count, pauseMs = 0] = String(request.headers['x-bench-stream'] ?? '')
      .split(',')
      .map(Number);
    if (!count) {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': ANSWER.length }).end(ANSWER);
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    let written = 0;
    const write = () => {
      if (written++ === count) {
        response.end(DONE);
        return;
      }
      response.write(CHUNK);
      setTimeout(write, pauseMs);
    };
    write();
  });
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`));
