{ The line protocol of docs/protocol.md for a unit of the contest.

  Commands are read from file descriptor 3 and answers written to 4. The standard input and output are the
  unit's own: what it prints goes to its log, and there is nothing for it to read. }
unit Seabattle_Protocol;

{$mode objfpc}{$H+}

interface

const
  LastIndex = 9;
  { Results of a shot, as the contest numbers them. }
  Miss = 0;
  Damage = 2;
  Kill = 3;

type
  TProtocolMap = array[0..LastIndex, 0..LastIndex] of Int64;

{ The next line of the arena; false at the end of its input. }
function ReadCommand(out Line: string): Boolean;
procedure Reply(const Line: string);
{ The first word of a line, which is taken off. }
function TakeWord(var Line: string): string;
{ Whether the fields of a game are the rules of the contest. }
function AreContestRules(const Fields: string): Boolean;
{ The value of a field, or nothing. }
function FieldOf(Fields: string; const Name: string): string;
procedure ReadCell(const Name: string; out Row, Column: Integer);
function ResultOf(const Answer: string): Integer;
{ The answer to `place`. Connected cells are one ship, named by the corners of the box around it. }
function FleetLine(const Map: TProtocolMap): string;
{ The answers to a map or a shot that cannot be shown as one: they are illegal under all rules. }
function NoMap: string;
function NoCell: string;
function ShotLine(Row, Column: Int64): string;
{ Ends the process with success: before this, leaving is a failure. }
procedure Leave;

implementation

uses
  BaseUnix;

const
  CommandInput = 3;
  ReplyOutput = 4;

var
  Buffer: array[0..4095] of Char;
  BufferStart: Integer = 0;
  BufferEnd: Integer = 0;
  HasFinished: Boolean = False;
  OuterExit: Pointer;

function FillBuffer: Boolean;
var
  Count: TSsize;
begin
  repeat
    Count := FpRead(CommandInput, @Buffer, SizeOf(Buffer));
  until (Count >= 0) or (FpGetErrno <> ESysEINTR);
  BufferStart := 0;
  BufferEnd := 0;
  if Count > 0 then
    BufferEnd := Count;
  Result := Count > 0;
end;

function ReadCommand(out Line: string): Boolean;
var
  Letter: Char;
begin
  Line := '';
  while (BufferStart < BufferEnd) or FillBuffer do
  begin
    Letter := Buffer[BufferStart];
    Inc(BufferStart);
    if Letter = #10 then
      Exit(True);
    Line := Line + Letter;
  end;
  Result := False;
end;

procedure Reply(const Line: string);
var
  Text: string;
  Sent: SizeInt;
  Count: TSsize;
begin
  Text := Line + #10;
  Sent := 0;
  while Sent < Length(Text) do
  begin
    Count := FpWrite(ReplyOutput, @Text[Sent + 1], Length(Text) - Sent);
    if Count > 0 then
      Sent := Sent + Count
    else if FpGetErrno <> ESysEINTR then
      Exit;
  end;
end;

function TakeWord(var Line: string): string;
var
  Gap: SizeInt;
begin
  Gap := Pos(' ', Line);
  if Gap = 0 then
    Gap := Length(Line) + 1;
  Result := Copy(Line, 1, Gap - 1);
  Delete(Line, 1, Gap);
end;

function FieldOf(Fields: string; const Name: string): string;
var
  Found: Boolean;
begin
  repeat
    Found := TakeWord(Fields) = Name;
    Result := TakeWord(Fields);
  until Found or (Fields = '');
  if not Found then
    Result := '';
end;

{ How many ships of each length a fleet such as `battleship:4,cruiser:3` has, as digits from length 1 on. }
function ShipCounts(Ships: string): string;
var
  Colon, Comma, Size, Failed: Integer;
  Counts: array[1..4] of Integer = (0, 0, 0, 0);
begin
  while Ships <> '' do
  begin
    Colon := Pos(':', Ships);
    Comma := Pos(',', Ships + ',');
    Val(Copy(Ships, Colon + 1, Comma - Colon - 1), Size, Failed);
    if (Failed <> 0) or (Size < 1) or (Size > 4) or (Counts[Size] = 9) then
      Exit('');
    Inc(Counts[Size]);
    Delete(Ships, 1, Comma);
  end;
  Result := '';
  for Size := 1 to 4 do
    Result := Result + Chr(Ord('0') + Counts[Size]);
end;

function AreContestRules(const Fields: string): Boolean;
begin
  Result := (FieldOf(Fields, 'size') = '10x10') and (FieldOf(Fields, 'touching') = 'forbidden')
    and (FieldOf(Fields, 'turn') = 'again') and (FieldOf(Fields, 'announce') = 'sunk')
    and (FieldOf(Fields, 'ending') = 'at-once') and (ShipCounts(FieldOf(Fields, 'fleet')) = '4321');
end;

procedure ReadCell(const Name: string; out Row, Column: Integer);
var
  Failed: Integer;
begin
  Column := Ord(Name[1]) - Ord('A');
  Val(Copy(Name, 2, Length(Name)), Row, Failed);
  Row := Row - 1;
end;

function ResultOf(const Answer: string): Integer;
begin
  if Answer = 'sunk' then
    Result := Kill
  else if Answer = 'hit' then
    Result := Damage
  else
    Result := Miss;
end;

function CellName(Row, Column: Integer): string;
begin
  Str(Row + 1, Result);
  Result := Chr(Ord('A') + Column) + Result;
end;

function IsDrawn(const Map: TProtocolMap): Boolean;
var
  Row, Column: Integer;
begin
  for Row := 0 to LastIndex do
    for Column := 0 to LastIndex do
      if (Map[Row, Column] <> 0) and (Map[Row, Column] <> 1) then
        Exit(False);
  Result := True;
end;

type
  TShip = record
    Size, Top, Left, Bottom, Right: Integer;
  end;

{ Adds the cells that hang together with this one to a ship, and takes them off the map. }
procedure TakeShip(var Map: TProtocolMap; Row, Column: Integer; var Ship: TShip);
begin
  if (Row < 0) or (Row > LastIndex) or (Column < 0) or (Column > LastIndex) or (Map[Row, Column] = 0) then
    Exit;
  Map[Row, Column] := 0;
  Inc(Ship.Size);
  if Row < Ship.Top then Ship.Top := Row;
  if Row > Ship.Bottom then Ship.Bottom := Row;
  if Column < Ship.Left then Ship.Left := Column;
  if Column > Ship.Right then Ship.Right := Column;
  TakeShip(Map, Row - 1, Column, Ship);
  TakeShip(Map, Row + 1, Column, Ship);
  TakeShip(Map, Row, Column - 1, Ship);
  TakeShip(Map, Row, Column + 1, Ship);
end;

function ShipName(const Ship: TShip): string;
begin
  Result := CellName(Ship.Top, Ship.Left);
  if Ship.Size > 1 then
    Result := Result + '-' + CellName(Ship.Bottom, Ship.Right);
end;

{ To the unit's log, behind what it has printed itself. }
procedure Log(const Line: string);
begin
  Flush(Output);
  WriteLn(StdErr, Line);
  Flush(StdErr);
end;

function FleetLine(const Map: TProtocolMap): string;
var
  Left: TProtocolMap;
  Ships: array of TShip = nil;
  Ship: TShip;
  Row, Column, Place: Integer;
begin
  if not IsDrawn(Map) then
    Exit(NoMap);
  Left := Map;
  for Row := 0 to LastIndex do
    for Column := 0 to LastIndex do
    begin
      Ship.Size := 0;
      Ship.Top := Row;
      Ship.Bottom := Row;
      Ship.Left := Column;
      Ship.Right := Column;
      TakeShip(Left, Row, Column, Ship);
      if Ship.Size = 0 then
        Continue;
      { The longest first, as the rules list them. }
      SetLength(Ships, Length(Ships) + 1);
      Place := High(Ships);
      while (Place > 0) and (Ships[Place - 1].Size < Ship.Size) do
      begin
        Ships[Place] := Ships[Place - 1];
        Dec(Place);
      end;
      Ships[Place] := Ship;
    end;
  Result := 'fleet';
  for Ship in Ships do
    Result := Result + ' ' + ShipName(Ship);
end;

function NoMap: string;
begin
  Log('getMap returned no map of 10 rows of 10 zeros and ones');
  Result := 'fleet';
end;

function NoCell: string;
begin
  Log('shoot returned no [row, column] of the board');
  Result := 'shots Z99';
end;

function ShotLine(Row, Column: Int64): string;
begin
  if (Row < 0) or (Row > LastIndex) or (Column < 0) or (Column > LastIndex) then
    Result := NoCell
  else
    Result := 'shots ' + CellName(Row, Column);
end;

procedure Leave;
begin
  HasFinished := True;
end;

{ A unit that calls Halt has failed, whatever its exit code. Errors of the run-time library speak for themselves. }
procedure ReportHalt;
const
  UnhandledException = 217;
var
  Code: string;
begin
  ExitProc := OuterExit;
  if HasFinished or (ErrorAddr <> nil) or (ExitCode = UnhandledException) then
    Exit;
  Str(ExitCode, Code);
  Log('the unit ended the process itself, with exit code ' + Code);
  if ExitCode = 0 then
    ExitCode := 1;
end;

initialization
  OuterExit := ExitProc;
  ExitProc := @ReportHalt;
end.
