// Prisma: a schema introspected from the database, a client generated from it, and its queries.
'use strict'
const assert = require('node:assert/strict')
const { execFileSync } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')

const QUESTION = 'SELECT region, sex, count(*) AS n FROM people WHERE age >= 18 GROUP BY region, sex ORDER BY region, sex NULLS LAST'
const modules = path.resolve(process.env.NODE_PATH)
const { PGHOST, PGPORT, PGUSER, PGPASSWORD, PGDATABASE } = process.env

// The parts of Prisma that are WebAssembly do the work. It would download native ones, if it did not find files in their places.
const SCHEMA = `datasource db {
  provider = "postgresql"
  url      = "postgresql://the.adapter.connects"
}

generator client {
  provider   = "prisma-client-js"
  engineType = "client"
  output     = "./generated"
}
`
// Its driver in JavaScript knows neither "char" nor name, types of the catalog: it is told that they are texts.
const CONFIG = `
const Result = require('pg/lib/result')
const { addFields } = Result.prototype
Result.prototype.addFields = function (fields) {
  for (const f of fields) if (f.dataTypeID === 18 || f.dataTypeID === 19) f.dataTypeID = 25
  return addFields.call(this, fields)
}
const { PrismaPg } = require('@prisma/adapter-pg')
const { PGHOST: host, PGPORT: port, PGUSER: user, PGPASSWORD: password, PGDATABASE: database } = process.env
module.exports = {
  schema: 'schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  adapter: async () => new PrismaPg({ host, port: Number(port), user, password, database }),
}
`

async function check(name, f) {
  try {
    await f()
    console.log(`ok: ${name}`)
  } catch (e) {
    console.log(`failed: ${name}: ${String(e.message).replace(/\s+/g, ' ')}`)
  }
}

function prisma(directory, ...args) {
  const none = path.join(directory, 'none')
  fs.writeFileSync(none, '', { mode: 0o700 })
  const env = { ...process.env, CHECKPOINT_DISABLE: '1', PRISMA_QUERY_ENGINE_LIBRARY: none, PRISMA_SCHEMA_ENGINE_BINARY: none }
  execFileSync(process.execPath, [path.join(modules, 'prisma/build/index.js'), ...args], { cwd: directory, env, stdio: 'pipe' })
}

async function main() {
  const directory = fs.mkdtempSync(path.join(modules, '..', 'prisma-'))
  try {
    await session(directory)
  } finally {
    fs.rmSync(directory, { recursive: true })
  }
}

async function session(directory) {
  console.log(`version: ${require('prisma/package.json').version}`)
  const file = path.join(directory, 'schema.prisma')
  fs.writeFileSync(file, SCHEMA)
  fs.writeFileSync(path.join(directory, 'prisma.config.cjs'), CONFIG)

  await check('introspection', async () => {
    prisma(directory, 'db', 'pull')
    const [model] = fs.readFileSync(file, 'utf8').match(/^model people {[^}]*^}/m)
    assert.deepEqual(model.match(/^  \w+/gm).map(s => s.trim()), ['region', 'sex', 'age', 'admitted', 'illness'])
    assert.match(model, /@@ignore/)
  })

  // The key of people is no column that an analyst may use, and Prisma makes no client for a model without one.
  fs.writeFileSync(file, fs.readFileSync(file, 'utf8').replace('@@ignore', '@@id([region])'))
  prisma(directory, 'generate')
  const { PrismaPg } = require('@prisma/adapter-pg')
  const { PrismaClient } = require(path.join(directory, 'generated'))
  const client = new PrismaClient({
    adapter: new PrismaPg({ host: PGHOST, port: Number(PGPORT), user: PGUSER, password: PGPASSWORD, database: PGDATABASE }),
  })
  const spent = async () => Number((await client.$queryRaw`SELECT epsilon_spent FROM tacit.budget WHERE table_name = 'people'`)[0].epsilon_spent)

  await check('raw query', async () => {
    const rows = await client.$queryRawUnsafe(QUESTION)
    console.log('answer: ' + rows.map(r => `${r.region}/${r.sex ?? ''}=${r.n}`).join(' '))
  })

  await check('groupBy, and its replay', async () => {
    const groups = { by: ['region'], where: { age: { gte: 37 } }, _count: { _all: true }, orderBy: { region: 'asc' } }
    const before = await spent()
    const first = await client.people.groupBy(groups)
    assert.deepEqual(first.map(r => r.region), ['east', 'north', 'south', 'west'])
    const after = await spent()
    assert.ok(after > before && after <= before + 0.5, `charged ${after - before}`)
    assert.deepEqual(await client.people.groupBy(groups), first)
    assert.equal(await spent(), after)
  })

  await check('rows are refused without a charge', async () => {
    const before = await spent()
    const selects = [
      () => client.people.findMany({ take: 200 }),
      () => client.people.findFirst(),
      () => client.people.count(), // of a sub-select with OFFSET
      () => client.$queryRaw`SELECT * FROM people LIMIT 200`,
    ]
    for (const select of selects) {
      await assert.rejects(select, /rows of protected table \S+ cannot be read/)
    }
    assert.equal(await spent(), before)
  })

  await client.$disconnect()
}

main().catch(e => { console.error(e); process.exit(1) })
