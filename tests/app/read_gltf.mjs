// glTF files by the validator of its makers: read_gltf.mjs PACKAGES FILE...
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const [packages, ...files] = process.argv.slice(2);
const validator = createRequire(`${packages}/`)('gltf-validator');
for (const file of files) {
  const report = await validator.validateBytes(new Uint8Array(readFileSync(file)));
  const { numErrors, numWarnings, numInfos, messages } = report.issues;
  console.log(file, report.info.totalVertexCount, 'vertices', numErrors + numWarnings + numInfos, 'issues');
  for (const message of messages) console.log(message.code, message.message);
  if (numErrors + numWarnings > 0) process.exitCode = 1;
}
