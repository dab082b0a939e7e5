"""A bot as the guides of discord.py 2 write them. Two lines name the installation; what it sees goes to the output."""

import json
import os

import discord
import yarl
from discord import app_commands
from discord.ext import commands, tasks

discord.http.Route.BASE = os.environ["INSTALLATION"] + "/discord/api/v10"
discord.gateway.DiscordWebSocket.DEFAULT_GATEWAY = yarl.URL(
    os.environ["INSTALLATION"].replace("http", "ws", 1) + "/discord/gateway/"
)

bot = commands.Bot(command_prefix="!", intents=discord.Intents.all())


def say(what, **fields):
    print(json.dumps({"what": what, **fields}), flush=True)


class Answer(discord.ui.Modal, title="Your move"):
    move = discord.ui.TextInput(label="Move")

    async def on_submit(self, interaction):
        await interaction.response.send_message(f"Played {self.move.value}", ephemeral=True)


class Board(discord.ui.View):
    def __init__(self):
        super().__init__(timeout=None)

    @discord.ui.button(label="Draw", custom_id="draw", style=discord.ButtonStyle.green)
    async def draw(self, interaction, button):
        button.disabled = True
        await interaction.response.edit_message(content="A draw", view=self)
        await interaction.followup.send("Well played")

    @discord.ui.select(custom_id="piece", options=[discord.SelectOption(label="Queen", value="q")])
    async def piece(self, interaction, select):
        await interaction.response.send_message(f"Took {select.values[0]}", ephemeral=True)

    @discord.ui.button(label="Move", custom_id="move")
    async def move(self, interaction, button):
        await interaction.response.send_modal(Answer())


@bot.command()
async def add(ctx, left: int, right: int):
    await ctx.reply(str(left + right))


@bot.command()
async def who(ctx, member: discord.Member):
    await ctx.send(f"{member.name} joined {member.joined_at.year}, as {len(ctx.guild.members)} others")


@bot.command()
async def board(ctx):
    await ctx.send("Your turn", view=Board())


@bot.tree.command(description="Repeats")
@app_commands.describe(text="What to repeat")
async def echo(interaction: discord.Interaction, text: str):
    await interaction.response.defer()
    await interaction.followup.send(embed=discord.Embed(title=text).set_thumbnail(url=interaction.user.display_avatar.url))


@echo.autocomplete("text")
async def texts(interaction: discord.Interaction, current: str):
    return [app_commands.Choice(name=each, value=each) for each in ("hello", "help") if each.startswith(current)]


@bot.tree.context_menu(name="Quote this")
async def quote(interaction: discord.Interaction, message: discord.Message):
    await interaction.response.send_message(f"> {message.content}", ephemeral=True)


@tasks.loop(seconds=0.1, count=3)
async def clock():
    say("tick", count=clock.current_loop)


@bot.event
async def on_command_error(ctx, error):
    say("error", text=str(error))


@bot.tree.error
async def on_tree_error(interaction, error):
    say("error", text=str(error))


@bot.event
async def on_ready():
    guild = bot.guilds[0]
    synced = await bot.tree.sync()
    say("ready", members=len(guild.members), chunked=guild.chunked, commands=[each.name for each in synced])
    clock.start()


bot.run(os.environ["TOKEN"], log_level=30)
